import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_GENERATION, foldGroupOf, TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Log, LogRecord } from '../../../topics/ports/log.ts';
import { unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { doneWith, LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { Administrator } from './administrator.ts';
import { createClient } from './client.ts';
import { OPEN_TIMEOUT_MS } from './generations.ts';
import { type Growth, growTopic } from './grow.ts';
import { KafkaLogFixture, silent } from './kafka-log.fixture.ts';
import { groupIdOf, topicNameOf } from './options.ts';
import { CLOSED_BYTES_MAX, changeBytesMax, createGenerations } from './topic-settings.ts';

/** More than before and not a multiple, so that each new partition gets keys of several old ones. */
const PARTITIONS = 13;
const DRAIN_MS = 30_000;
const GROUP = foldGroupOf('imports');

/** The length of the shortest command: a closed generation takes only shorter records, such as its markers. */
const PADDING = ' '.repeat(2 * CLOSED_BYTES_MAX);

const KEYS = Array.from({ length: 40 }, (_, index) => `key-${index}`);
const RECORDS_BEFORE = 200;
const RECORDS_AFTER = 200;

describe('growing a topic on Kafka', () => {
  let engine: KafkaLogFixture;
  let probes: LogProbe[] = [];
  let delivered: LogRecord[] = [];
  beforeEach(async () => {
    engine = await KafkaLogFixture.open();
    delivered = [];
  });
  afterEach(async () => {
    for (const probe of probes) {
      await probe.stop();
      expect(probe.violations).toEqual([]);
    }
    probes = [];
    await engine.close();
  });

  const grow = (partitions = PARTITIONS, drainMs = DRAIN_MS): Promise<Growth> =>
    growTopic({
      options: engine.options,
      logger: silent,
      topic: 'imports',
      partitions,
      drainMs,
      report: () => undefined,
    });

  /** Reads into `delivered`, through any of several members of a group. */
  async function read(log: Log, group = GROUP): Promise<LogProbe> {
    const probe = await LogProbe.start(log, {
      group,
      keys: KEYS,
      handle: async (records) => {
        delivered.push(...records);
        return doneWith(records);
      },
    });
    probes.push(probe);
    return probe;
  }

  const append = (log: Log, key: string, value: string) =>
    log.append([{ topic: 'imports', key, value: value + PADDING }]);
  const values = (key: string) =>
    delivered.filter((record) => record.key === key).map(({ value }) => Number(value));
  const arrived = (count: number) =>
    vi.waitFor(() => expect(new Set(delivered.map(({ key, value }) => `${key}/${value}`)).size).toBe(count), {
      ...WAIT,
      timeout: 90_000,
    });

  /** Appends to the first generation, like a process whose program knows no other. */
  async function appendBehindMarker(key: string, value: string): Promise<void> {
    const producer = createClient(engine.options, silent).producer();
    await producer.connect();
    const partition = partitionOf(key, TOPICS.imports.partitions);
    const topic = topicNameOf(engine.options.prefix, 'imports', FIRST_GENERATION);
    await producer.send({ topic, messages: [{ key, value, partition }] });
    await producer.disconnect();
  }

  /**
   * Deletes all records of the first generation and the offsets that the group has committed there, like their
   * retention.
   */
  const expire = () =>
    engine.administer(async (admin) => {
      const topic = topicNameOf(engine.options.prefix, 'imports', FIRST_GENERATION);
      const ends = await admin.fetchTopicOffsets(topic);
      const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
      await admin.deleteTopicRecords({ topic, partitions });
      await admin.deleteGroups([groupIdOf(engine.options.prefix, GROUP, 'imports', FIRST_GENERATION)]);
    });

  it('delivers each record once and keeps the order of every key under load', async () => {
    const logs = [engine.log, await engine.another()];
    for (const log of logs) await read(log);
    const repeated = new Set<string>();
    let grown = false;
    const lastOf = new Map(KEYS.map((key) => [key, -1]));
    const load = KEYS.map(async (key, index) => {
      const log = logs[index % logs.length] ?? engine.log;
      for (let number = 0, after = 0; after < RECORDS_AFTER / KEYS.length; number += 1) {
        if (grown) after += 1;
        while (
          !(await append(log, key, String(number)).then(
            () => true,
            () => false,
          ))
        ) {
          repeated.add(`${key}/${number}`);
          await sleep(10);
        }
        lastOf.set(key, number);
      }
    });
    await vi.waitFor(() => expect(delivered.length).toBeGreaterThan(RECORDS_BEFORE), WAIT);
    expect(await grow()).toEqual({ generation: 2, drained: true });
    grown = true;
    await Promise.all(load);

    await arrived([...lastOf.values()].reduce((sum, last) => sum + last + 1, 0));
    for (const [key, last] of lastOf) {
      const first = [...new Set(values(key))];
      expect(first).toEqual(Array.from({ length: last + 1 }, (_, number) => number));
      const doubled = first.filter((number) => values(key).filter((value) => value === number).length > 1);
      expect(doubled.filter((number) => !repeated.has(`${key}/${number}`))).toEqual([]);
      const generations = delivered
        .filter((record) => record.key === key)
        .map(({ generation }) => generation);
      expect(generations).toEqual([...generations].sort());
      expect(new Set(generations)).toEqual(new Set([1, 2]));
    }
    const used = new Set(
      delivered.filter(({ generation }) => generation === 2).map(({ partition }) => partition),
    );
    expect([...used].every((partition) => partition < PARTITIONS)).toBe(true);
    expect(used.size).toBeGreaterThan(TOPICS.imports.partitions);
    await logs[1]?.close();
  });

  it('lets a stopped group read both generations, one after the other', async () => {
    const key = 'key-1';
    const early = await read(engine.log);
    await append(engine.log, key, '0');
    await arrived(1);
    await early.stop();
    await append(engine.log, key, '1');
    expect(await grow(PARTITIONS, 0)).toEqual({ generation: 2, drained: false });
    await engine.reopen();
    await append(engine.log, key, '2');
    await read(engine.log);
    await arrived(3);
    expect(values(key)).toEqual([0, 1, 2]);
    delivered = [];
    await read(engine.log, unique('group'));
    await arrived(3);
    expect(delivered.map(({ generation }) => generation)).toEqual([1, 1, 2]);
  });

  it('lets groups begin the new generation although the old one and their offsets have expired', async () => {
    const key = 'key-1';
    await read(engine.log);
    await append(engine.log, key, '0');
    await arrived(1);
    await grow();
    await append(engine.log, key, '1');
    await arrived(2);
    await probes[0]?.stop();
    await engine.reopen();
    await expire();
    await append(engine.log, key, '2');
    await read(engine.log);
    await arrived(3);
    delivered = [];
    await read(engine.log, unique('group'));
    await arrived(2);
    expect(delivered.map(({ generation, value }) => [generation, Number(value)])).toEqual([
      [2, 1],
      [2, 2],
    ]);
  });

  it('rejects at most one append of a writer that does not know the new generation', async () => {
    const late = await engine.another();
    await append(late, 'key-1', '0');
    await grow(PARTITIONS, 0);
    await append(late, 'key-1', '1').catch(() => undefined);
    await append(late, 'key-1', '2');
    await read(engine.log);
    await vi.waitFor(() => expect(values('key-1').at(-1)).toBe(2), WAIT);
    await late.close();
  });

  it('forwards records behind a marker to the new generation, also after a restart', async () => {
    await read(engine.log);
    await append(engine.log, 'key-1', '0');
    await grow();
    await appendBehindMarker('key-1', '1');
    await arrived(2);
    expect(delivered.map(({ generation, value }) => [generation, Number(value)])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    await probes[0]?.stop();
    await engine.reopen();
    await appendBehindMarker('key-1', '2');
    const other = unique('group');
    await read(engine.log);
    await arrived(3);
    expect(delivered.at(-1)).toMatchObject({ generation: 2, key: 'key-1' });
    // Every group reads it in the new generation, and not in the old one, which no member reads any more.
    delivered = [];
    await read(engine.log, other);
    await arrived(3);
    expect(delivered.map(({ generation }) => generation)).toEqual([1, 2, 2]);
  });

  it('finishes an interrupted growth, and grows again', async () => {
    await read(engine.log);
    await append(engine.log, 'key-1', '0');
    const administrator = new Administrator(engine.options, silent);
    const begun = {
      topic: 'imports',
      generation: 2,
      partitions: PARTITIONS,
      bytesMax: CLOSED_BYTES_MAX,
    } as const;
    await createGenerations(administrator, engine.options, [begun]);
    await administrator.close();
    await append(engine.log, 'key-1', '1');
    await expect(grow(PARTITIONS + 1)).rejects.toThrow('unfinished');
    expect(await grow()).toEqual({ generation: 2, drained: true });
    expect(await grow()).toEqual({ generation: 2, drained: true });
    expect(await grow(3)).toEqual({ generation: 3, drained: true });
    await vi.waitFor(() => append(engine.log, 'key-1', '2'), WAIT);
    await arrived(3);
    expect(values('key-1')).toEqual([0, 1, 2]);
    expect(delivered.map(({ generation }) => generation)).toEqual([1, 1, 3]);
    const lag = (await probes[0]?.consumer.status())?.reduce((sum, status) => sum + status.lag, 0);
    expect(lag).toBe(0);
  });

  it('lets one of two growths at the same time win, and the other one say so', async () => {
    const both = await Promise.allSettled([grow(PARTITIONS, 0), grow(PARTITIONS + 1, 0)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(String(refused.reason)).toContain('unfinished');
  });

  it('does not affect other topics if it is interrupted while no generation is open', async () => {
    const administrator = new Administrator(engine.options, silent);
    const begun = {
      topic: 'imports',
      generation: 2,
      partitions: PARTITIONS,
      bytesMax: CLOSED_BYTES_MAX,
    } as const;
    await createGenerations(administrator, engine.options, [begun]);
    const first = topicNameOf(engine.options.prefix, 'imports', FIRST_GENERATION);
    await changeBytesMax(administrator, first, CLOSED_BYTES_MAX);
    await administrator.close();
    const refused = () => expect(append(engine.log, 'key-1', '0')).rejects.toThrow(EngineUnavailableError);
    await vi.waitFor(async () => {
      const began = performance.now();
      await Promise.all([
        refused(),
        engine.log.append([{ topic: 'workspaces', key: 'key', value: PADDING }]),
      ]);
      expect(performance.now() - began).toBeLessThan(OPEN_TIMEOUT_MS / 2);
    }, WAIT);
    await grow(PARTITIONS, 0);
    await vi.waitFor(() => append(engine.log, 'key-1', '1'), WAIT);
  });

  it.each([0, 1.5, 1_000_000, TOPICS.imports.partitions])('rejects %d partitions', async (partitions) => {
    await expect(grow(partitions)).rejects.toThrow('partitions');
  });
});
