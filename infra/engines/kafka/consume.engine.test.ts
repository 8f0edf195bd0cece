import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_GENERATION } from '../../../topics/catalogue.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { doneWith, keysInPartitions, LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { KafkaLogFixture } from './kafka-log.fixture.ts';
import { groupIdOf, topicNameOf } from './options.ts';

/** Longer than a test, so that none passes by waiting for it. */
const LONG_PAUSE_MS = 120_000;

describe('consuming from Kafka', () => {
  let engine: KafkaLogFixture;
  beforeEach(async () => {
    engine = await KafkaLogFixture.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  const append = (key: string, ...values: string[]) =>
    engine.log.append(values.map((value) => ({ topic: 'imports', key, value })));

  const topicName = () => topicNameOf(engine.options.prefix, 'imports', FIRST_GENERATION);
  const groupId = (group: string) => groupIdOf(engine.options.prefix, group, 'imports', FIRST_GENERATION);

  /** Consumes `count` records of one key with a group, and stops. */
  async function drain(group: string, key: string, count: number): Promise<LogProbe> {
    const probe = await LogProbe.start(engine.log, { group, keys: [key] });
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(count), WAIT);
    await probe.stop();
    return probe;
  }

  /** Deletes the records of a partition below an offset, like their retention. */
  const cut = (partition: number, offset: string) =>
    engine.administer(async (admin) => {
      // The client has to know the leaders first.
      await admin.fetchTopicOffsets(topicName());
      await admin.deleteTopicRecords({ topic: topicName(), partitions: [{ partition, offset }] });
    });

  it.each([
    ['beyond the end', '9', 'reading offset 9 of a partition that ends at 3'],
    ['below the start', '0', 'reading offset 0 of a partition that starts at 2'],
  ])('halts at a committed offset %s, and keeps it as evidence', async (_, offset, reason) => {
    const [broken, sound] = keysInPartitions(unique('key'), 2) as [string, string];
    await append(broken, '1', '2', '3');
    const { partition } = (await drain('group', broken, 3)).delivered[0]!;
    await engine.administer((admin) =>
      admin.setOffsets({
        groupId: groupId('group'),
        topic: topicName(),
        partitions: [{ partition, offset }],
      }),
    );
    await cut(partition, '2');
    const probe = await LogProbe.start(engine.log, { group: 'group', keys: [broken, sound] });
    await append(sound, '4');
    await append(broken, '5');
    await vi.waitFor(() => expect(probe.values()).toEqual(['4']), WAIT);
    const halted = (await probe.consumer.status()).filter((status) => status.halted !== null);
    expect(halted).toMatchObject([{ partition, halted: reason }]);
    expect(engine.halts).toMatchObject([{ group: 'group', topic: 'imports', partition, reason }]);
    await probe.stop();
    expect(await engine.committed('group', partition)).toBe(Number(offset));
  });

  it('halts if records are deleted before they are fetched, and keeps the committed offset', async () => {
    const [broken, sound] = keysInPartitions(unique('key'), 2) as [string, string];
    const blocked = Promise.withResolvers<void>();
    // Enough records to stop fetching while the handler is blocked.
    const held = Array.from({ length: 2_500 }, (_, index) => String(index));
    await append(broken, ...held);
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys: [broken, sound],
      handle: async (records) => {
        if (records[0]?.key === broken) await blocked.promise;
        return doneWith(records);
      },
    });
    await vi.waitFor(() => expect(probe.delivered.length).toBeGreaterThan(0), WAIT);
    const { partition } = probe.delivered[0]!;
    await append(broken, 'gone', 'gone', 'after');
    await cut(partition, '2502');
    blocked.resolve();
    await vi.waitFor(() => expect(engine.halts).toHaveLength(1), WAIT);
    expect(engine.halts[0]?.reason).toBe('reading offset 2500 of a partition that starts at 2502');
    await append(sound, 'sound');
    await vi.waitFor(() => expect(probe.values(sound)).toEqual(['sound']), WAIT);
    expect(probe.values(broken)).not.toContain('after');
    await probe.stop();
    expect(await engine.committed('group', partition)).toBeLessThanOrEqual(held.length);
  });

  it('delivers the other partitions while the handler of one never ends', async () => {
    const [stuck, running] = keysInPartitions(unique('key'), 2) as [string, string];
    const blocked = Promise.withResolvers<void>();
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys: [stuck, running],
      batchRecordsMax: 10,
      handle: async (records) => {
        if (records[0]?.key === stuck) await blocked.promise;
        return doneWith(records);
      },
    });
    const values = Array.from({ length: 3_000 }, (_, index) => String(index));
    await append(stuck, ...values);
    for (const value of values.slice(0, 20)) {
      await append(running, value);
      await vi.waitFor(() => expect(probe.values(running).at(-1)).toBe(value), WAIT);
    }
    blocked.resolve();
    await vi.waitFor(() => expect(probe.values(stuck)).toEqual(values), WAIT);
  });

  it('delivers 25,000 available records at once', async () => {
    const key = unique('key');
    const depth = 25_000;
    const handled: string[] = [];
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys: [key],
      batchRecordsMax: depth,
      handle: async (records) => {
        const [first] = records as [LogRecord];
        // The partition delivers the records again, with those fetched meanwhile, until they are `depth`.
        if (first.value === '0' && records.length < depth) return { nextOffset: first.offset, pauseMs: 10 };
        handled.push(...records.map(({ value }) => value));
        return doneWith(records);
      },
    });
    await append(key, ...Array.from({ length: 2 * depth }, (_, index) => String(index)));
    await vi.waitFor(() => expect(handled).toHaveLength(2 * depth), WAIT);
    expect(probe.batchSizes.filter((size) => size > 0)).toContain(depth);
    expect(Math.max(...probe.batchSizes)).toBe(depth);
  });

  it('delivers each record once while records arrive singly and are handled in batches', async () => {
    const key = unique('key');
    const seen: string[] = [];
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys: [key],
      batchRecordsMax: 7,
      handle: async (records) => {
        const half = records.slice(0, Math.ceil(records.length / 2));
        seen.push(...half.map(({ value }) => value));
        return doneWith(half);
      },
    });
    const values = Array.from({ length: 400 }, (_, index) => String(index));
    await Promise.all(values.map((value) => append(key, value)));
    await vi.waitFor(() => expect(seen).toHaveLength(values.length), WAIT);
    expect(seen).toEqual(values);
    await probe.stop();
    expect(await engine.committed('group', probe.delivered[0]!.partition)).toBe(values.length);
  });

  it('commits while it runs', async () => {
    const key = unique('key');
    const probe = await LogProbe.start(engine.log, { group: 'group', keys: [key] });
    await append(key, '1', '2', '3');
    await vi.waitFor(async () => {
      expect(await engine.committed('group', probe.delivered[0]!.partition)).toBe(3);
    }, WAIT);
  });

  it('pauses for the requested time although records arrive meanwhile', async () => {
    const key = unique('key');
    const times: number[] = [];
    const pauseMs = 700;
    await LogProbe.start(engine.log, {
      group: 'group',
      keys: [key],
      batchRecordsMax: 1,
      handle: async (records) => {
        times.push(performance.now());
        return { ...doneWith(records), pauseMs };
      },
    });
    await append(key, '1');
    await vi.waitFor(() => expect(times).toHaveLength(1), WAIT);
    await append(key, '2');
    await append(key, '3');
    await vi.waitFor(() => expect(times).toHaveLength(3), WAIT);
    // Node's timers may fire up to a millisecond early.
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(pauseMs - 1);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(pauseMs - 1);
  });

  it('stops soon while one partition pauses and another is halted', async () => {
    const [paused, broken] = keysInPartitions(unique('key'), 2) as [string, string];
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys: [paused, broken],
      handle: async (records) => {
        if (records[0]?.key === broken) throw new Error('folding a record');
        return { nextOffset: records[0]!.offset, pauseMs: LONG_PAUSE_MS };
      },
    });
    await append(paused, '1');
    await append(broken, '2');
    await vi.waitFor(() => {
      expect(probe.values()).toHaveLength(2);
      expect(engine.halts).toHaveLength(1);
    }, WAIT);
    const begun = performance.now();
    await probe.stop();
    expect(performance.now() - begun).toBeLessThan(LONG_PAUSE_MS / 4);
    expect(probe.closes).toBe(probe.assignments.length);
  });
});
