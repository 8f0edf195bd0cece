import { describe, expect, it } from 'vitest';
import { ENDED_PROCESSES_MAX, ENDS_BESIDE_MAX } from '../../../processors/runtime/work/work-window.ts';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import { seeded } from '../seeded.fixture.ts';
import { Machine, type SimulatedItem } from './work-machine.fixture.ts';

const ENDS_OF_ONE = ENDS_BESIDE_MAX + ENDED_PROCESSES_MAX;
const KILLS = 12;

function items(count: number, takesMs: number): SimulatedItem[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${index} of ${takesMs} ms`, takesMs }));
}

function deadlyItem(endsAfterMs: number): SimulatedItem {
  return { name: `ends its process after ${endsAfterMs} ms`, takesMs: 60_000, endsAfterMs };
}

/** Draws the lives of processes that are killed, and of one that is not. */
function lives(seed: number, draw: (random: number) => number): () => number {
  const random = seeded(seed);
  let kills = 0;
  return () => {
    kills += 1;
    return kills > KILLS ? Infinity : draw(random());
  };
}

describe('WorkWindow on a machine that starts its process again', () => {
  const others = items(60, 200);
  const among = (deadly: readonly SimulatedItem[]) => [
    ...others.slice(10),
    ...deadly,
    ...others.slice(0, 10),
  ];

  it.each([1, 5_000, 50_000])(
    'gives up an item that ends its processes after %i ms, and no other',
    async (endsAfterMs) => {
      const deadly = deadlyItem(endsAfterMs);
      const machine = new Machine(among([deadly]));
      expect(await machine.run(2 * HOUR_MS)).toBe(true);
      expect(machine.givenUp).toEqual([deadly.name]);
      expect(machine.ends).toHaveLength(ENDS_OF_ONE);
      // Items that are suspected less are tried first.
      expect(Math.max(...machine.done.values())).toBeLessThanOrEqual(ENDS_BESIDE_MAX + 1);
    },
  );

  it('counts only ends of processes that had no other item in work', async () => {
    const machine = new Machine([deadlyItem(1_000), ...items(700, 5_000)]);
    expect(await machine.run(2 * HOUR_MS)).toBe(true);
    expect(machine.ends.slice(0, ENDS_BESIDE_MAX)).not.toContain(1);
    expect(machine.ends.slice(ENDS_BESIDE_MAX)).toEqual(Array(ENDED_PROCESSES_MAX).fill(1));
  });

  it('gives up each of several items that end their processes', async () => {
    const deadly = [1, 30, 700].map(deadlyItem);
    const machine = new Machine(among(deadly));
    expect(await machine.run(2 * HOUR_MS)).toBe(true);
    expect(new Set(machine.givenUp)).toEqual(new Set(deadly.map(({ name }) => name)));
    expect(machine.ends.length).toBeLessThanOrEqual(deadly.length * ENDS_OF_ONE);
  });

  it.each([1, 2, 3])(
    'gives up nothing while each process is killed after 10 to 20 s (seed %i)',
    async (seed) => {
      const all = [...items(100, 300), ...items(8, 9_000), ...items(4, 30_000)];
      const machine = new Machine(
        all,
        lives(seed, (random) => 10_000 + 10_000 * random),
      );
      expect(await machine.run(2 * HOUR_MS)).toBe(true);
      expect(machine.givenUp).toEqual([]);
      expect(machine.ends).toHaveLength(KILLS);
    },
  );

  it('gives up no item that takes as long as a process lives on average', async () => {
    // With this seed, the count would reach the bound if an end that the item had no part in did not reset it.
    const random = seeded(29);
    const machine = new Machine(items(1, 60_000), () => -60_000 * Math.log(1 - random()));
    expect(await machine.run(2 * HOUR_MS)).toBe(true);
    expect(machine.givenUp).toEqual([]);
  });

  it.each([3_000, 25_000, 100_000, 200_000])(
    'gives up no item that outlives each process of %i ms',
    async (lifeMs) => {
      const machine = new Machine(
        items(2, lifeMs * 1.1),
        lives(1, () => lifeMs),
      );
      expect(await machine.run(2 * HOUR_MS)).toBe(true);
      expect(machine.givenUp).toEqual([]);
      expect(machine.ends).toHaveLength(KILLS);
    },
  );
});
