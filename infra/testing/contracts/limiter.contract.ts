import { afterAll, beforeAll, describe } from 'vitest';
import { SUITE } from './engine.fixture.ts';
import { describeEach } from './limiter-each.contract.ts';
import { describeDenied, describeQuotas, describeStatuses } from './limiter-keys.contract.ts';
import type { LimiterFixture } from './limiter-probe.fixture.ts';
import { describeSeveral } from './limiter-several.contract.ts';
import { describeRepeats, describeUsage } from './limiter-usage.contract.ts';
import { describeWindows } from './limiter-windows.contract.ts';

/** Describes the tests that all limiters pass. */
export function describeLimiterContract(name: string, open: () => Promise<LimiterFixture>): void {
  describe(`${name}: limiter`, SUITE, () => {
    let engine: LimiterFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });
    const opened = () => engine;
    describeWindows(opened);
    describeSeveral(opened);
    describeEach(opened);
    describeQuotas(opened);
    describeDenied(opened);
    describeStatuses(opened);
    describeRepeats(opened);
    describeUsage(opened);
  });
}
