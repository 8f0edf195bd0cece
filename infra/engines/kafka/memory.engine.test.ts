import { expect, it, onTestFinished, vi } from 'vitest';
import type { TopicName } from '../../../topics/catalogue.ts';
import { unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { doneWith, keysInPartitions, LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { GUARANTEED_BYTES_A_PARTITION, RecordMemory } from '../shared/record-memory.ts';
import { KafkaLogFixture } from './kafka-log.fixture.ts';

/** Records of one key that take twelve times the reserved memory of a partition. */
const RECORDS = 1_500;
const RECORD_CHARACTERS = 8_000;

const MEMORY_BYTES = 4 * GUARANTEED_BYTES_A_PARTITION;
const TOPICS: readonly TopicName[] = ['imports', 'activate'];
const PARTITIONS = 3;

it('delivers each record once and in order, beside halted partitions that use up the memory', async () => {
  const memory = new RecordMemory(MEMORY_BYTES);
  const engine = await KafkaLogFixture.open({}, memory);
  onTestFinished(() => engine.close());
  const keys = keysInPartitions(unique('key'), PARTITIONS);
  const [stuck] = keys as [string];
  const values = Array.from({ length: RECORDS }, (_, index) => `${index}`.padEnd(RECORD_CHARACTERS, '-'));
  for (const topic of TOPICS) {
    for (const key of keys) await engine.log.append(values.map((value) => ({ topic, key, value })));
  }
  const blocked = Promise.withResolvers<void>();
  let heldAtMost = 0;
  const start = (topic: TopicName) =>
    LogProbe.start(engine.log, {
      group: 'group',
      topic,
      keys,
      batchRecordsMax: 1_000,
      handle: async (records) => {
        heldAtMost = Math.max(heldAtMost, memory.held);
        if (topic === 'imports' && records[0]?.key === stuck) await blocked.promise;
        return doneWith(records);
      },
    });
  const probes = await Promise.all(TOPICS.map(start));
  const arrived = (probe: LogProbe, key: string) =>
    probe.values(key).map((value) => Number.parseInt(value, 10));
  const expected = values.map((_, index) => index);
  const [imports, activate] = probes as [LogProbe, LogProbe];
  for (const key of keys) {
    await vi.waitFor(() => expect(activate.values(key)).toHaveLength(RECORDS), { ...WAIT, timeout: 90_000 });
    expect(arrived(activate, key)).toEqual(expected);
  }
  for (const key of keys.slice(1)) {
    await vi.waitFor(() => expect(imports.values(key)).toHaveLength(RECORDS), { ...WAIT, timeout: 90_000 });
    expect(arrived(imports, key)).toEqual(expected);
  }
  expect(imports.values(stuck).length).toBeLessThan(RECORDS);
  blocked.resolve();
  await vi.waitFor(() => expect(arrived(imports, stuck)).toEqual(expected), { ...WAIT, timeout: 90_000 });
  const partitions = PARTITIONS * TOPICS.length;
  expect(heldAtMost).toBeGreaterThan(MEMORY_BYTES / 2);
  expect(heldAtMost).toBeLessThanOrEqual(MEMORY_BYTES + partitions * GUARANTEED_BYTES_A_PARTITION);
  for (const probe of probes) await probe.stop();
  expect([...imports.violations, ...activate.violations]).toEqual([]);
  expect(memory.held).toBe(0);
});
