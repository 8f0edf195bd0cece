import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { keysInPartitions, LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { TcpProxy } from '../shared/tcp-proxy.fixture.ts';
import { KafkaLogFixture } from './kafka-log.fixture.ts';
import { SEND_TIMEOUT_MS } from './producer.ts';
import { RECORD_BYTES_MAX } from './topic-settings.ts';

/** Tolerance for a slow machine beyond the bound under test. */
const SLACK_MS = 10_000;

describe('appending to Kafka', () => {
  let proxy: TcpProxy;
  let engine: KafkaLogFixture;
  beforeEach(async () => {
    proxy = await TcpProxy.openToBroker(engineAddresses()!.kafka);
    engine = await KafkaLogFixture.open({ brokers: [proxy.address] });
  });
  afterEach(async () => {
    proxy.condition = 'sound';
    await engine.close();
    await proxy.refuse();
  });

  const append = (key: string, value: string) => engine.log.append([{ topic: 'imports', key, value }]);

  /** Returns the values of a key in the log, as another group reads them, once `last` is among them. */
  async function valuesUntil(key: string, last: string): Promise<string[]> {
    const log = await engine.another();
    const probe = await LogProbe.start(log, { group: unique('group'), keys: [key] });
    await vi.waitFor(() => expect(probe.values()).toContain(last), WAIT);
    await log.close();
    return probe.values();
  }

  it('appends each key to the partition in which readers expect it', async () => {
    const keys = keysInPartitions(unique('key'), TOPICS.imports.partitions);
    await Promise.all(keys.map((key) => append(key, 'value')));
    const probe = await LogProbe.start(engine.log, { group: 'group', keys });
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(keys.length), WAIT);
    for (const { key, partition } of probe.delivered) {
      expect(partition).toBe(partitionOf(key, TOPICS.imports.partitions));
    }
  });

  it('appends the largest record, and rejects a larger one without harm to its neighbours', async () => {
    const largest = 'x'.repeat(RECORD_BYTES_MAX - 'key'.length);
    const neighbours = [append('key', '1'), append('key', largest), append('key', '3')];
    await expect(append('key', `${largest}x`)).rejects.toThrow(`${RECORD_BYTES_MAX} are the most`);
    await Promise.all(neighbours);
    expect(await valuesUntil('key', '3')).toEqual(['1', largest, '3']);
  });

  it('sends the queued records before it closes', async () => {
    const waiting = append('key', 'last');
    await engine.reopen();
    await waiting;
    expect(await valuesUntil('key', 'last')).toEqual(['last']);
  });

  it.each(['black hole', 'answers lost'] as const)(
    'rejects within its timeout over a connection with the fault: %s; and recovers afterwards',
    async (fault) => {
      await append('key', 'before');
      proxy.condition = fault;
      const begun = performance.now();
      await expect(append('key', 'meanwhile')).rejects.toThrow(EngineUnavailableError);
      expect(performance.now() - begun).toBeLessThan(SEND_TIMEOUT_MS + SLACK_MS);
      proxy.condition = 'sound';
      await vi.waitFor(() => append('key', 'after'), WAIT);
      const values = await valuesUntil('key', 'after');
      expect(values[0]).toBe('before');
    },
  );

  // A reused sequence number of a request without an answer would make the broker drop the record.
  it('keeps each acknowledged record behind one whose answer was lost', async () => {
    await append('key', '1');
    proxy.condition = 'answers lost';
    await expect(append('key', '2')).rejects.toThrow(EngineUnavailableError);
    proxy.condition = 'sound';
    await vi.waitFor(() => append('key', '3'), WAIT);
    await append('key', '4');
    const values = await valuesUntil('key', '4');
    expect(values.filter((value) => value !== '2')).toEqual(['1', '3', '4']);
    // The broker recognises repetitions by the client itself.
    expect(values.filter((value) => value === '2')).toHaveLength(1);
  });

  it('rejects at once while the cluster is down, and appends again when it is up', async () => {
    await proxy.refuse();
    await expect(append('key', 'meanwhile')).rejects.toThrow(EngineUnavailableError);
    const begun = performance.now();
    await expect(append('key', 'still')).rejects.toThrow(EngineUnavailableError);
    expect(performance.now() - begun).toBeLessThan(SEND_TIMEOUT_MS + SLACK_MS);
    await proxy.accept();
    await vi.waitFor(() => append('key', 'after'), WAIT);
    expect(await valuesUntil('key', 'after')).toContain('after');
  });

  it('keeps acknowledged records once and in order while connections are cut again and again', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const values = Array.from({ length: 20 }, (_, index) => `${round}-${index}`);
      const appends = values.map((value) => append('key', value));
      // Some requests are under way by now, and others gather.
      if (round % 2 === 0) setImmediate(() => proxy.cut());
      const answers = await Promise.allSettled(appends);
      acknowledged.push(...values.filter((_, index) => answers[index]?.status === 'fulfilled'));
    }
    await vi.waitFor(() => append('key', 'last'), WAIT);
    const values = await valuesUntil('key', 'last');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(values.filter((value) => acknowledged.includes(value))).toEqual(acknowledged);
  });
});
