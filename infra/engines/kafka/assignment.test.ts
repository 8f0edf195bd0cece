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

/** One record of the partition, as the client hands it over. */
const message = (offset: number, characters: number) =>
  ({
    offset: String(offset),
    key: Buffer.from('k'),
    value: Buffer.alloc(characters, 'v'),
    timestamp: '1',
  }) as never;

it('gives partitions back although a commit never ends', async () => {
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

it('fetches again what there was no room for, and does not take a closing marker behind it for the end', async () => {
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
      resume: () => expect.fail('going on behind what was not taken over'),
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
    behind: handling(async () => expect.fail('handling records behind the marker')),
    halted: new Map(),
    onHalt: (_, error) => expect.fail(String(error)),
    onResume: () => undefined,
  });
  /** Brings everything from an offset on at once, as a fetch does. */
  function arrive(offset: number): void {
    if (isPaused) expect.fail('fetching a partition that is paused');
    const end = count + 1;
    assignment.push({ partition: 0, messages: [...messages, marker].slice(offset), next: end, end });
    // What another broker brings late, from behind what was not taken over.
    assignment.push({ partition: 0, messages: [marker], next: end, end });
  }
  await closed.promise;
  expect(handled.map(({ offset }) => offset)).toEqual(Array.from({ length: count }, (_, offset) => offset));
  expect(fetchedFrom.length).toBeGreaterThan(2);
  await assignment.finish(REJOIN_FINISH_TIMEOUT_MS);
  expect(memory.held).toBe(0);
});
