import { expect, it, vi } from 'vitest';
import type { LogRecord, PartitionHandler } from '../../../topics/ports/log.ts';
import { doneWith } from '../../testing/contracts/log-probe.fixture.ts';
import { RecordMemory } from '../shared/record-memory.ts';
import { Assignment, REJOIN_FINISH_TIMEOUT_MS } from './assignment.ts';
import { closingMarker } from './control-records.ts';
import type { GroupOffsets } from './group-offsets.ts';
import { silent } from './kafka-log.fixture.ts';

const handling = (handle: PartitionHandler['handle']): PartitionHandler => ({
  handle,
  idle: async () => 'done',
  close: async () => undefined,
});

/** A record of the partition, in the form of the client. */
const message = (offset: number, characters: number) =>
  ({
    offset: String(offset),
    key: Buffer.from('k'),
    value: Buffer.alloc(characters, 'v'),
    timestamp: '1',
  }) as never;

it('gives its partitions back although a commit never ends', async () => {
  vi.useFakeTimers();
  try {
    const offsets: Pick<GroupOffsets, 'locate' | 'endOf'> = {
      locate: async () => new Map([[0, { committed: 0, closed: false, start: 0, end: 1 }]]),
      endOf: async () => 1,
    };
    const committing = Promise.withResolvers<void>();
    const handler = handling(async (records) => doneWith(records));
    const assignment = new Assignment({
      memory: new RecordMemory(),
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
    assignment.push({ partition: 0, messages: [message(0, 1)], next: 1, end: 1 });
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

it('fetches records that did not fit again, and ignores a closing marker behind them', async () => {
  const memory = new RecordMemory(1);
  const count = 20;
  const messages = Array.from({ length: count }, (_, offset) => message(offset, 200_000));
  const marker = { ...closingMarker(0), offset: String(count), timestamp: '1' } as never;
  const offsets: Pick<GroupOffsets, 'locate' | 'endOf'> = {
    locate: async () => new Map([[0, { committed: 0, closed: false, start: 0, end: count + 1 }]]),
    endOf: async () => count + 1,
  };
  const handled: LogRecord[] = [];
  const fetchedFrom: number[] = [];
  const closed = Promise.withResolvers<void>();
  let isPaused = true;
  const assignment: Assignment = new Assignment({
    memory,
    member: {
      isAlive: () => true,
      pause: () => {
        isPaused = true;
      },
      resume: () => expect.fail('fetched on behind records that did not fit'),
      fetchFrom: (_, offset) => {
        fetchedFrom.push(offset);
        isPaused = false;
        setImmediate(() => arrive(offset));
      },
      commit: async () => undefined,
    },
    partitions: [0],
    subscription: {
      group: 'group',
      topic: 'imports',
      batchRecordsMax: 10,
      open: () =>
        handling(async (records) => {
          handled.push(...records);
          return doneWith(records);
        }),
    },
    generation: 1,
    offsets: offsets as GroupOffsets,
    logger: silent,
    onClosing: () => closed.resolve(),
    behind: handling(async () => expect.fail('handled records behind the marker')),
    halted: new Map(),
    onHalt: (_, error) => expect.fail(String(error)),
    onResume: () => undefined,
  });
  /** Delivers every record from an offset on at once, like a fetch. */
  function arrive(offset: number): void {
    if (isPaused) expect.fail('fetched a paused partition');
    const end = count + 1;
    assignment.push({ partition: 0, messages: [...messages, marker].slice(offset), next: end, end });
    // A late answer of another broker, from behind the records that did not fit.
    assignment.push({ partition: 0, messages: [marker], next: end, end });
  }
  await closed.promise;
  expect(handled.map(({ offset }) => offset)).toEqual(Array.from({ length: count }, (_, offset) => offset));
  expect(fetchedFrom.length).toBeGreaterThan(2);
  await assignment.finish(REJOIN_FINISH_TIMEOUT_MS);
  expect(memory.held).toBe(0);
});
