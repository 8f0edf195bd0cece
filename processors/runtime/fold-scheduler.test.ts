import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FoldScheduler } from './fold-scheduler.ts';

/** Batches that ask at once, and the lists of those that have begun by the end of each turn of the event loop. */
async function startedBySlice(batches: readonly number[]): Promise<number[][]> {
  const scheduler = new FoldScheduler();
  const begun: number[] = [];
  const byTurn: number[][] = [];
  const all = Promise.all(
    batches.map(async (commands, index) => {
      await scheduler.acquire(commands);
      begun.push(index);
    }),
  );
  while (begun.length < batches.length) {
    const before = begun.length;
    await turn();
    if (begun.length > before) byTurn.push(begun.slice(before));
  }
  await all;
  return byTurn;
}

describe('turns', () => {
  it('give each large batch a separate one, in the order of requests', async () => {
    expect(await startedBySlice([256, 256, 100, 64])).toEqual([[0], [1], [2], [3]]);
  });

  it('let small batches share one', async () => {
    expect(await startedBySlice([30, 30, 30, 1, 256, 1])).toEqual([[0, 1, 2], [3, 4], [5]]);
  });

  it('let what a batch leaves to an immediate be done before the next one', async () => {
    const scheduler = new FoldScheduler();
    const done: string[] = [];
    const batch = async (name: string) => {
      await scheduler.acquire(256);
      done.push(`fold ${name}`);
      setImmediate(() => done.push(`write ${name}`));
    };
    await Promise.all([batch('a'), batch('b'), batch('c')]);
    await turn();
    expect(done).toEqual(['fold a', 'write a', 'fold b', 'write b', 'fold c', 'write c']);
  });

  it('begin at once again after a rest', async () => {
    const scheduler = new FoldScheduler();
    await scheduler.acquire(256);
    await turn();
    await turn();
    let begun = false;
    void scheduler.acquire(1).then(() => {
      begun = true;
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(begun).toBe(true);
  });
});
