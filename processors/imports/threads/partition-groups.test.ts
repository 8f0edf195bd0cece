import { setImmediate as begins } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { Turns, WAITING_MAX } from '../../runtime/work/turns.ts';
import type { PackedPartition } from '../validation/validate-partition.ts';
import { GROUP_MAX, type JobOutcome, PartitionGroups, type PartitionTask } from './partition-groups.ts';
import { ANYBODY } from './testing/validate-file.ts';

const oneThread = () => new Turns({ name: 'import threads', slots: 1 });

/** A partition that is told from others by its index. */
function partition(index: number): PartitionTask {
  const range = { index, start: 0, end: 1, firstLine: 1, firstRow: 1, rows: 1, blank: 0 };
  return { bytes: new Uint8Array(1), range };
}

/** Groups that wait until they are released, and the tasks that have started. */
function controlled(slots: Turns) {
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const groups = new PartitionGroups(slots, async (plan, partitions) => {
    started.push(`${plan}: ${partitions.map(({ range }) => range.index).join(' ')}`);
    await gate.promise;
    return partitions.map(({ range }): JobOutcome => {
      if (range.index < 0) return { kind: 'failed', error: new Error('judging a partition') };
      return { kind: 'validated', result: { valid: range.index } as PackedPartition };
    });
  });
  return { started, gate, groups };
}

describe('PartitionGroups', () => {
  it('takes along those of the same file that wait, in their order and a few at a time', async () => {
    const { started, gate, groups } = controlled(oneThread());
    const first = groups.validate('a', partition(0), ANYBODY);
    await begins();
    const plans = ['a', 'b', 'a', 'a', 'b', 'a', 'a', 'a'];
    const others = plans.map((plan, index) => groups.validate(plan, partition(index + 1), ANYBODY));
    gate.resolve();
    const results = await Promise.all([first, ...others]);
    expect(results.map(({ valid }) => valid)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(started).toEqual(['a: 0', 'a: 1 3 4 6', 'b: 2 5', 'a: 7 8']);
    expect(GROUP_MAX).toBe(4);
  });

  it('leaves no place in the line behind for those that it took along', async () => {
    let go = Promise.withResolvers<void>();
    const groups = new PartitionGroups(oneThread(), async (_, partitions) => {
      await go.promise;
      return partitions.map(() => ({ kind: 'validated', result: {} as PackedPartition }));
    });
    const first = groups.validate('a', partition(0), ANYBODY);
    await begins();
    const taken = [1, 2, 3, 4].map((index) => groups.validate('a', partition(index), ANYBODY));
    const firstEnds = go;
    go = Promise.withResolvers();
    firstEnds.resolve();
    await first;
    const later = [5, 6, 7, 8].map((index) => groups.validate('a', partition(index), ANYBODY));
    go.resolve();
    expect(await Promise.all([...taken, ...later])).toHaveLength(8);
  });

  it('rejects one that has failed, and none of its group', async () => {
    const { gate, groups } = controlled(oneThread());
    const tasks = [1, 2, -1, 3].map((index) => groups.validate('a', partition(index), ANYBODY));
    gate.resolve();
    const settled = await Promise.allSettled(tasks);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects a whole group whose thread has died, and continues', async () => {
    let runs = 0;
    const groups = new PartitionGroups(oneThread(), async (_, partitions) => {
      runs += 1;
      if (runs === 1) throw new Error('ending a thread');
      return partitions.map(() => ({ kind: 'validated', result: {} as PackedPartition }));
    });
    const tasks = [1, 2, 3, 4, 5, 6].map((index) => groups.validate('a', partition(index), ANYBODY));
    const settled = await Promise.allSettled(tasks);
    const statuses = settled.map(({ status }) => status);
    expect(statuses).toEqual([...Array(GROUP_MAX).fill('rejected'), 'fulfilled', 'fulfilled']);
  });

  it('refuses a group that finds the line full, and all that wait when it is closed', async () => {
    const slots = oneThread();
    const { started, gate, groups } = controlled(slots);
    const running = groups.validate('a', partition(0), ANYBODY);
    await begins();
    const waiting = Array.from({ length: WAITING_MAX }, (_, at) =>
      groups.validate(`b${at}`, partition(at + 1), ANYBODY),
    );
    await expect(groups.validate('a', partition(3), ANYBODY)).rejects.toBeInstanceOf(EngineUnavailableError);
    const closing = slots.close();
    for (const result of await Promise.allSettled(waiting)) {
      expect(result).toMatchObject({ reason: expect.any(EngineUnavailableError) });
    }
    gate.resolve();
    await closing;
    expect((await running).valid).toBe(0);
    expect(started).toEqual(['a: 0']);
  });
});
