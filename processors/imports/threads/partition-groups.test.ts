import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../../schemas/base/semaphore.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { PackedPartition } from '../validation/validate-partition.ts';
import { GROUP_MAX, type JobOutcome, PartitionGroups, type PartitionTask } from './partition-groups.ts';

function semaphore(runningMax: number, waitingMax: number): Semaphore {
  return new Semaphore({
    runningMax,
    waitingMax,
    refuse: () => new EngineUnavailableError('import threads'),
  });
}

/** A partition that is told from others by its index. */
function partition(index: number): PartitionTask {
  const range = { index, start: 0, end: 1, firstLine: 1, firstRow: 1, rows: 1, blank: 0 };
  return { bytes: new Uint8Array(1), range };
}

/** Groups that wait until they are released, and the tasks that have begun. */
function controlled(slots: Semaphore) {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const groups = new PartitionGroups(slots, async (plan, partitions) => {
    begun.push(`${plan}: ${partitions.map(({ range }) => range.index).join(' ')}`);
    await gate.promise;
    return partitions.map(({ range }): JobOutcome => {
      if (range.index < 0) return { kind: 'failed', error: new Error('judging a partition') };
      return { kind: 'validated', result: { valid: range.index } as PackedPartition };
    });
  });
  return { begun, gate, groups };
}

describe('PartitionGroups', () => {
  it('takes along those of the same file that wait, in their order and a few at a time', async () => {
    const { begun, gate, groups } = controlled(semaphore(1, 20));
    const first = groups.validate('a', partition(0));
    const plans = ['a', 'b', 'a', 'a', 'b', 'a', 'a', 'a'];
    const others = plans.map((plan, index) => groups.validate(plan, partition(index + 1)));
    gate.resolve();
    const results = await Promise.all([first, ...others]);
    expect(results.map(({ valid }) => valid)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(begun).toEqual(['a: 0', 'a: 1 3 4 6', 'b: 2 5', 'a: 7 8']);
    expect(GROUP_MAX).toBe(4);
  });

  it('leaves no place in the line behind for those that it took along', async () => {
    let go = Promise.withResolvers<void>();
    const groups = new PartitionGroups(semaphore(1, 4), async (_, partitions) => {
      await go.promise;
      return partitions.map(() => ({ kind: 'validated', result: {} as PackedPartition }));
    });
    const first = groups.validate('a', partition(0));
    const taken = [1, 2, 3, 4].map((index) => groups.validate('a', partition(index)));
    const firstEnds = go;
    go = Promise.withResolvers();
    firstEnds.resolve();
    await first;
    const later = [5, 6, 7, 8].map((index) => groups.validate('a', partition(index)));
    go.resolve();
    expect(await Promise.all([...taken, ...later])).toHaveLength(8);
  });

  it('rejects one that has failed, and none of its group', async () => {
    const { gate, groups } = controlled(semaphore(1, 20));
    const tasks = [1, 2, -1, 3].map((index) => groups.validate('a', partition(index)));
    gate.resolve();
    const settled = await Promise.allSettled(tasks);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects a whole group whose thread has died, and continues', async () => {
    let runs = 0;
    const groups = new PartitionGroups(semaphore(1, 20), async (_, partitions) => {
      runs += 1;
      if (runs === 2) throw new Error('ending a thread');
      return partitions.map(() => ({ kind: 'validated', result: {} as PackedPartition }));
    });
    const tasks = [1, 2, 3, 4, 5, 6].map((index) => groups.validate('a', partition(index)));
    const settled = await Promise.allSettled(tasks);
    const statuses = settled.map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', ...Array(GROUP_MAX).fill('rejected'), 'fulfilled']);
  });

  it('refuses who finds the line full, and everybody who waits when it is closed', async () => {
    const slots = semaphore(1, 2);
    const { begun, gate, groups } = controlled(slots);
    const running = groups.validate('a', partition(0));
    const waiting = [groups.validate('b', partition(1)), groups.validate('c', partition(2))];
    await expect(groups.validate('a', partition(3))).rejects.toBeInstanceOf(EngineUnavailableError);
    const closing = slots.close();
    for (const result of await Promise.allSettled(waiting)) {
      expect(result).toMatchObject({ reason: expect.any(EngineUnavailableError) });
    }
    gate.resolve();
    await closing;
    expect((await running).valid).toBe(0);
    expect(begun).toEqual(['a: 0']);
  });
});
