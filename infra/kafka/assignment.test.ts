import { expect, it, vi } from 'vitest';
import { doneWith } from '../contracts/log-probe.ts';
import { Assignment, REJOIN_FINISH_TIMEOUT_MS } from './assignment.ts';
import type { GroupOffsets } from './group-offsets.ts';
import { silent } from './under-test.ts';

it('gives partitions back although a commit never ends', async () => {
  vi.useFakeTimers();
  try {
    const offsets: Pick<GroupOffsets, 'locate' | 'endOf'> = {
      locate: async () => new Map([[0, { committed: 0, closed: false, start: 0, end: 1 }]]),
      endOf: async () => 1,
    };
    const committing = Promise.withResolvers<void>();
    const handler = {
      handle: async (records: Parameters<typeof doneWith>[0]) => doneWith(records),
      idle: async () => 'done' as const,
      close: async () => undefined,
    };
    const assignment = new Assignment({
      member: {
        isAlive: () => true,
        pause: () => undefined,
        resume: () => undefined,
        fetchFrom: () => undefined,
        commit: () => {
          committing.resolve();
          return new Promise<never>(() => undefined);
        },
      },
      partitions: [0],
      subscription: { group: 'group', topic: 'imports', batchRecordsMax: 10, open: () => handler },
      generation: 1,
      offsets: offsets as GroupOffsets,
      logger: silent,
      onClosing: () => undefined,
      behind: handler,
      halted: new Map(),
      onHalt: (_, error) => expect.fail(String(error)),
      onResume: () => undefined,
    });
    await assignment.located;
    const message = { offset: '0', key: Buffer.from('k'), value: Buffer.from('v'), timestamp: '1' };
    assignment.push({ partition: 0, messages: [message as never], next: 1, end: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    await committing.promise;
    let isFinished = false;
    void assignment.finish(REJOIN_FINISH_TIMEOUT_MS).then(() => {
      isFinished = true;
    });
    await vi.advanceTimersByTimeAsync(2 * REJOIN_FINISH_TIMEOUT_MS);
    expect(isFinished).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
