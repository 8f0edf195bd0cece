import { describe, expect, it } from 'vitest';
import { tidyingAllAtOnce } from './mutated-engines.fixture.ts';
import { simulateCrowd } from './simulate-crowd.fixture.ts';

const SEEDS = [1, 2, 3, 4, 5];

describe('a crowd of accounts with effects to tidy up', () => {
  it.each(SEEDS)('delays no command, from seed %d', async (seed) => {
    expect(await simulateCrowd(seed)).toEqual([]);
  });

  it('delays commands if all is tidied up before the next delivery, and that is seen', async () => {
    expect(await simulateCrowd(1, { subscriptions: tidyingAllAtOnce })).not.toEqual([]);
  });
});
