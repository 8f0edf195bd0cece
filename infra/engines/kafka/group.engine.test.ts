import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOPICS } from '../../../topics/catalogue.ts';
import { LostRecordsError } from '../../../topics/ports/failures.ts';
import { unique } from '../../testing/contracts/engine.fixture.ts';
import {
  doneWith,
  keysInPartitions,
  LogProbe,
  type ProbeOptions,
} from '../../testing/contracts/log-probe.fixture.ts';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { TcpProxy } from '../shared/tcp-proxy.fixture.ts';
import { REQUEST_TIMEOUT_MS } from './client.ts';
import { SESSION_TIMEOUT_MS } from './group-member.ts';
import { KafkaLogFixture } from './kafka-log.fixture.ts';

/** Time until a silent member is noticed and replaced. */
const WAIT = { timeout: 90_000, interval: 20 };

/** Tolerance for a slow machine beyond the bounds under test. */
const SLACK_MS = 5_000;

describe('a group on Kafka', () => {
  let proxy: TcpProxy;
  let engine: KafkaLogFixture;
  let keys: readonly string[];
  beforeEach(async () => {
    proxy = await TcpProxy.openToBroker(engineAddresses()!.kafka);
    engine = await KafkaLogFixture.open();
    keys = keysInPartitions(unique('key'), TOPICS.imports.partitions);
  });
  afterEach(async () => {
    proxy.condition = 'sound';
    await engine.close();
    await proxy.refuse();
  });

  const start = (log = engine.log, handle?: ProbeOptions['handle']) =>
    LogProbe.start(log, { group: 'group', keys, ...(handle === undefined ? {} : { handle }) });

  const appendToEach = (value: string) =>
    engine.log.append(keys.map((key) => ({ topic: 'imports', key, value })));

  const owned = async (probe: LogProbe) =>
    (await probe.consumer.status()).map(({ partition }) => partition).toSorted();

  const seenBy = (...probes: LogProbe[]) =>
    probes.flatMap(({ delivered }) => delivered.map(({ key, value }) => `${key} ${value}`)).toSorted();

  const each = (...values: string[]) =>
    keys.flatMap((key) => values.map((value) => `${key} ${value}`)).toSorted();

  it('shares the partitions among its members, and hands them over without loss or repetition', async () => {
    const first = await start();
    await appendToEach('1');
    await vi.waitFor(() => expect(first.delivered).toHaveLength(keys.length), WAIT);
    const alone = [...first.assignments];
    const other = await engine.another();
    const second = await start(other);
    await vi.waitFor(async () => {
      expect(await owned(first)).toHaveLength(keys.length / 2);
      expect(await owned(second)).toHaveLength(keys.length / 2);
    }, WAIT);
    expect(alone.some((assignment) => assignment.isCurrent())).toBe(false);
    await appendToEach('2');
    await vi.waitFor(() => expect(seenBy(first, second)).toEqual(each('1', '2')), WAIT);
    await other.close();
    await appendToEach('3');
    await vi.waitFor(() => expect(seenBy(first, second)).toEqual(each('1', '2', '3')), WAIT);
    expect(await owned(first)).toHaveLength(keys.length);
    expect([...first.violations, ...second.violations]).toEqual([]);
  });

  it('waits for a running handler before it hands its partition over', async () => {
    const finish = Promise.withResolvers<void>();
    const current: boolean[] = [];
    const first = await start(engine.log, async (records, assignment) => {
      if (records[0]?.value === 'slow') await finish.promise;
      current.push(assignment.isCurrent());
      return doneWith(records);
    });
    await appendToEach('slow');
    await vi.waitFor(() => expect(first.delivered).toHaveLength(keys.length), WAIT);
    const other = await engine.another();
    const joining = start(other);
    // The new assignments begin only after the handlers of the old ones have ended.
    await vi.waitFor(async () => expect(first.closes).toBe(0), WAIT);
    finish.resolve();
    const second = await joining;
    await appendToEach('2');
    await vi.waitFor(() => expect(seenBy(first, second)).toEqual(each('2', 'slow')), WAIT);
    expect(current).not.toContain(false);
    await other.close();
  });

  it('keeps its partitions while a handler takes longer than the session', async () => {
    const begun = performance.now();
    const current: boolean[] = [];
    const probe = await start(engine.log, async (records, assignment) => {
      await vi.waitUntil(() => performance.now() - begun > 1.5 * SESSION_TIMEOUT_MS, WAIT);
      current.push(assignment.isCurrent());
      return doneWith(records);
    });
    await appendToEach('1');
    await vi.waitFor(async () => {
      expect(current).toHaveLength(keys.length);
      expect((await probe.consumer.status()).map(({ lag }) => lag)).toEqual(keys.map(() => 0));
    }, WAIT);
    expect(current).not.toContain(false);
    expect(seenBy(probe)).toEqual(each('1'));
    expect(probe.assignments).toHaveLength(keys.length);
  });

  it('reassigns the partitions of a silent member, which notices before that', async () => {
    const separated = await KafkaLogFixture.open({ ...engine.options, brokers: [proxy.address] });
    const silent = await start(separated.log);
    await appendToEach('1');
    await vi.waitFor(async () => {
      for (const { partition, offset } of silent.delivered) {
        expect(await engine.committed('group', partition)).toBe(offset + 1);
      }
      expect(silent.delivered).toHaveLength(keys.length);
    }, WAIT);
    proxy.condition = 'black hole';
    const successor = await start();
    expect(silent.assignments.some((assignment) => assignment.isCurrent())).toBe(false);
    await appendToEach('2');
    await vi.waitFor(() => expect(successor.values()).toEqual(keys.map(() => '2')), WAIT);
    proxy.condition = 'sound';
    await vi.waitFor(async () => {
      expect(await owned(silent)).toHaveLength(keys.length / 2);
      expect(await owned(successor)).toHaveLength(keys.length / 2);
    }, WAIT);
    await appendToEach('3');
    await vi.waitFor(() => expect(seenBy(silent, successor)).toEqual(each('1', '2', '3')), WAIT);
    await separated.log.close();
  });

  it('recovers after the cluster was unreachable, by closed and by silent connections', async () => {
    const separated = await KafkaLogFixture.open({ ...engine.options, brokers: [proxy.address] });
    const probe = await start(separated.log);
    await appendToEach('1');
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(keys.length), WAIT);
    await proxy.refuse();
    await appendToEach('2');
    await vi.waitUntil(() => probe.assignments.every((assignment) => !assignment.isCurrent()), WAIT);
    await proxy.accept();
    await vi.waitFor(() => expect(seenBy(probe)).toEqual(each('1', '2')), WAIT);
    proxy.cut();
    await appendToEach('3');
    await vi.waitFor(() => expect(seenBy(probe)).toEqual(each('1', '2', '3')), WAIT);
    expect(engine.halts).toEqual([]);
    await separated.log.close();
  });

  it('recovers within seconds if its connections die silently', async () => {
    const separated = await KafkaLogFixture.open({ ...engine.options, brokers: [proxy.address] });
    const probe = await start(separated.log);
    await appendToEach('1');
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(keys.length), WAIT);
    proxy.freeze();
    await appendToEach('2');
    // A request, the wait of the others for a silent member, and a new membership; not the minute after which a
    // hopeless one is replaced.
    const timeout = REQUEST_TIMEOUT_MS + SESSION_TIMEOUT_MS + SLACK_MS;
    await vi.waitFor(() => expect(seenBy(probe)).toEqual(each('1', '2')), { ...WAIT, timeout });
    await separated.log.close();
  });

  it('keeps a partition with lost records halted when the process is assigned it again', async () => {
    const [broken] = keys as [string];
    const first = await start(engine.log, async (records) => {
      if (records[0]?.key === broken) throw new LostRecordsError('folding a record');
      return doneWith(records);
    });
    await engine.log.append([{ topic: 'imports', key: broken, value: '1' }]);
    await vi.waitFor(() => expect(engine.halts).toHaveLength(1), WAIT);
    const other = await engine.another();
    await start(other);
    await vi.waitFor(async () => expect(await owned(first)).toHaveLength(keys.length / 2), WAIT);
    await other.close();
    await vi.waitFor(async () => expect(await owned(first)).toHaveLength(keys.length), WAIT);
    const halted = (await first.consumer.status()).filter((status) => status.halted !== null);
    expect(halted).toMatchObject([{ halted: 'folding a record' }]);
    expect(engine.halts).toHaveLength(1);
  });
});
