import { afterAll, beforeAll, describe } from 'vitest';
import { describeQuotas, describeStatuses } from './limiter-keys.contract.ts';
import type { LimiterUnderTest } from './limiter-probe.ts';
import { describeRepeats, describeUsage } from './limiter-usage.contract.ts';
import { describeWindows } from './limiter-windows.contract.ts';
import { SUITE } from './support.ts';

/** What all limiters must do. */
export function describeLimiterContract(name: string, open: () => Promise<LimiterUnderTest>): void {
  describe(`${name}: limiter`, SUITE, () => {
    let engine: LimiterUnderTest;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });
    const opened = () => engine;
    describeWindows(opened);
    describeQuotas(opened);
    describeStatuses(opened);
    describeRepeats(opened);
    describeUsage(opened);
  });
}
