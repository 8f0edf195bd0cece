import { describe, expect, it } from 'vitest';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { simulateActivate } from './simulate-activate.fixture.ts';

const { seeds, timeoutMs } = seedsFor(150);

describe(`checklists under faults, from SIM_SEED=${seeds[0]} on`, () => {
  it(`give the answers and the state of an oracle in ${seeds.length} runs`, {
    timeout: timeoutMs,
  }, async () => {
    expect(reportOf(await findingsOf(seeds, simulateActivate))).toBe('');
  });
});
