import { describe, expect, it, vi } from 'vitest';
import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type {
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Subscription,
} from '../../../topics/ports/log.ts';
import { doneWith } from '../../testing/contracts/log-probe.fixture.ts';
import { RecordMemory } from '../shared/record-memory.ts';
import { PartitionLoop, type PartitionLoopDependencies } from './partition-loop.ts';

const handler: PartitionHandler = {
  handle: async (records) => doneWith(records),
  idle: async () => 'done',
  close: async () => undefined,
};

/** Returns the loop of a partition whose end the group has read as 10. */
function loopWith(differing: Partial<PartitionLoopDependencies>): PartitionLoop {
  return new PartitionLoop({
    memory: new RecordMemory(),
    subscription: subscribed(() => handler),
    generation: 1,
    partition: 0,
    start: 0,
    end: 10,
    askEnd: async () => 10,
    behind: handler,
    isClosed: false,
    onClosing: () => undefined,
    isOwned: () => true,
    pause: () => undefined,
    resume: () => undefined,
    fetchFrom: () => undefined,
    onProgress: () => undefined,
    onHalt: (error) => expect.fail(String(error)),
    onResume: () => expect.fail('resuming'),
    ...differing,
  });
}

const subscribed = (open: Subscription['open']): Subscription => ({
  group: 'group',
  topic: 'imports',
  batchRecordsMax: 10,
  open,
});

/** Length of key and value. */
const ENCODED_BYTES = 8;

const record = (offset: number): LogRecord => ({
  topic: 'imports',
  generation: 1,
  partition: 0,
  offset,
  key: 'key',
  value: 'value',
  appendedAt: 0,
});

/** Runs a test with the commands that the handler of a loop receives. */
async function assigned(
  askEnd: () => Promise<number>,
  test: (assignment: PartitionAssignment) => Promise<void>,
) {
  const opened = Promise.withResolvers<PartitionAssignment>();
  const open = (assignment: PartitionAssignment) => {
    opened.resolve(assignment);
    return handler;
  };
  const loop = loopWith({ askEnd, subscription: subscribed(open) });
  await test(await opened.promise);
  await loop.stop();
}

describe('PartitionLoop', () => {
  it('reads the end from the brokers before it denies that a record was appended', async () => {
    let asked = 0;
    const askEnd = async () => {
      asked += 1;
      return 20;
    };
    await assigned(askEnd, async (assignment) => {
      expect(await assignment.hasAppended(9)).toBe(true);
      expect(asked).toBe(0);
      expect(await assignment.hasAppended(19)).toBe(true);
      expect(await assignment.hasAppended(15)).toBe(true);
      expect(asked).toBe(1);
      expect(await assignment.hasAppended(20)).toBe(false);
    });
  });

  it('does not deny an append while the brokers do not answer', async () => {
    const askEnd = () => Promise.reject(new EngineUnavailableError('log'));
    await assigned(askEnd, async (assignment) => {
      expect(await assignment.hasAppended(9)).toBe(true);
      await expect(assignment.hasAppended(10)).rejects.toThrow(EngineUnavailableError);
    });
  });

  it('frees the memory of all its records when it stops', async () => {
    const memory = new RecordMemory();
    const handled = Promise.withResolvers<void>();
    const pausing: PartitionHandler = {
      ...handler,
      handle: async ([first]) => {
        handled.resolve();
        return { nextOffset: (first?.offset ?? 0) + 1, pauseMs: 60_000 };
      },
    };
    const loop = loopWith({ memory, subscription: subscribed(() => pausing) });
    for (const offset of [0, 1, 2]) expect(loop.take(record(offset), ENCODED_BYTES)).toBe(true);
    loop.arrived(3, 10, false);
    await handled.promise;
    expect(memory.held).toBeGreaterThan(0);
    await loop.stop();
    expect(memory.held).toBe(0);
    expect(loop.take(record(3), ENCODED_BYTES)).toBe(false);
    expect(memory.held).toBe(0);
  });

  it('stops fetching after each fetch that did not fit, even if it has stopped before', async () => {
    let pauses = 0;
    const loop = loopWith({
      pause: () => {
        pauses += 1;
      },
    });
    for (const expected of [1, 2]) {
      loop.arrived(0, 10, true);
      expect(pauses).toBe(expected);
    }
    await loop.stop();
  });

  it('frees the buffer of a partition with lost records, and takes no more', async () => {
    const memory = new RecordMemory();
    const halted = Promise.withResolvers<unknown>();
    const losing: PartitionHandler = {
      ...handler,
      handle: async () => {
        throw new LostRecordsError('missing a record');
      },
    };
    const loop = loopWith({ memory, subscription: subscribed(() => losing), onHalt: halted.resolve });
    for (const offset of [0, 1, 2]) expect(loop.take(record(offset), ENCODED_BYTES)).toBe(true);
    loop.arrived(3, 10, false);
    await halted.promise;
    await vi.waitFor(() => expect(memory.held).toBe(0));
    // A record that was already on its way.
    expect(loop.take(record(3), ENCODED_BYTES)).toBe(false);
    expect(memory.held).toBe(0);
    await loop.stop();
  });
});
