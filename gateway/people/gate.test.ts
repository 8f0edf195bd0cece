import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../schemas/base/errors.ts';
import { Gate } from './gate.ts';

function openTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { task: () => promise, finish: resolve };
}

describe('Gate', () => {
  it('runs no more tasks at once than it may, and all of them in the end', async () => {
    const gate = new Gate({ running: 2, waiting: 10 });
    let running = 0;
    let most = 0;
    const task = async (number: number) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return number;
    };
    const results = await Promise.all([1, 2, 3, 4, 5].map((number) => gate.run(() => task(number))));
    expect(results).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('refuses what would wait too long, and goes on afterwards', async () => {
    const gate = new Gate({ running: 1, waiting: 1 });
    const first = openTask();
    const running = gate.run(first.task);
    const waiting = gate.run(async () => 'second');
    await expect(gate.run(async () => 'third')).rejects.toBeInstanceOf(ServiceError);
    first.finish();
    await running;
    expect(await waiting).toBe('second');
    expect(await gate.run(async () => 'fourth')).toBe('fourth');
  });

  it('gives its place back when a task fails', async () => {
    const gate = new Gate({ running: 1, waiting: 0 });
    await expect(gate.run(() => Promise.reject(new Error('hashing')))).rejects.toThrow('hashing');
    expect(await gate.run(async () => 'next')).toBe('next');
  });
});
