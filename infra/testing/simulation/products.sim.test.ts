import { describe, expect, it } from 'vitest';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { simulateProducts } from './simulate-products.fixture.ts';

const { seeds, timeoutMs } = seedsFor(100);

describe(`all products under faults, from SIM_SEED=${seeds[0]} on`, () => {
  it(`keep every promise to their customers in ${seeds.length} runs`, { timeout: timeoutMs }, async () => {
    expect(reportOf(await findingsOf(seeds, (seed) => simulateProducts(seed)))).toBe('');
  });
});
