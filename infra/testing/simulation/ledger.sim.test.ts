import { describe, expect, it } from 'vitest';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { simulateLedger } from './simulate-ledger.fixture.ts';

const { seeds, timeoutMs } = seedsFor(2_000);

describe(`a ledger under faults, from SIM_SEED=${seeds[0]} on`, () => {
  it(`loses nothing, doubles nothing and answers everybody in ${seeds.length} runs`, {
    timeout: timeoutMs,
  }, async () => {
    expect(reportOf(await findingsOf(seeds, (seed) => simulateLedger(seed)))).toBe('');
  });

  it('has the same result each time that a seed is run', async () => {
    for (const seed of seeds.slice(0, 20)) {
      expect((await simulateLedger(seed)).trace).toBe((await simulateLedger(seed)).trace);
    }
  });
});
