import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'cassandra-driver';
import {
  handlingGroupOf,
  TABLES,
  type TableName,
  TOPIC_NAMES,
  type TopicName,
} from '../../../topics/catalogue.ts';
import type { LogRecord, PartitionHandler } from '../../../topics/ports/log.ts';
import { createClient } from '../../engines/cassandra/driver.ts';
import { Administrator } from '../../engines/kafka/administrator.ts';
import { Generations } from '../../engines/kafka/generations.ts';
import { GroupOffsets } from '../../engines/kafka/group-offsets.ts';
import { type KafkaLog, openKafkaLog } from '../../engines/kafka/log.ts';
import type { ClusterSettings } from '../../service/settings/cluster-settings.ts';
import { readSettings } from '../../service/settings/settings.ts';
import type { EngineAddresses } from '../../tools/cluster/addresses.ts';
import type { Stored } from './stage.ts';
import { type AggregateState, aggregateName, rowName } from './state.ts';

/** Time for the processors to finish the remaining work, and the interval between checks of it. */
const QUIET_MS_MAX = 90_000;
const POLL_INTERVAL_MS = 500;
/** Checks in a row that have to find no work: a group can be between its read and its effects. */
const QUIET_LOOKS = 3;

const READ_MS_MAX = 60_000;
const RECORDS_AT_ONCE = 10_000;
const silent = { warn: () => undefined, error: () => undefined };

/**
 * Waits until the service has nothing left to do, and reads every topic from its first record on and every table, past the
 * ways that faults break.
 *
 * @param environment the variables of the run's processes
 * @throws {Error} when the service does not come to rest in time.
 */
export async function readCluster(
  environment: Readonly<Record<string, string>>,
  { kafka, cassandra, redis }: EngineAddresses,
): Promise<Stored> {
  const { cluster } = readSettings({
    ...environment,
    KAFKA_BROKERS: kafka,
    CASSANDRA_CONTACT_POINTS: cassandra,
    REDIS_URL: redis,
  });
  if (cluster === null) throw new Error('gathering evidence of a service without a cluster');
  await untilQuiet(cluster);
  return { records: await readTopics(cluster), aggregates: await readTables(cluster) };
}

async function untilQuiet({ kafka }: ClusterSettings): Promise<void> {
  const administrator = new Administrator(kafka, silent);
  const generations = new Generations(administrator, kafka);
  try {
    const deadline = Date.now() + QUIET_MS_MAX;
    for (let quiet = 0; quiet < QUIET_LOOKS; ) {
      await generations.refresh();
      const open = await Promise.all(
        TOPIC_NAMES.map((topic) => unhandled(administrator, generations, topic, handlingGroupOf(topic))),
      );
      quiet = open.every((count) => count === 0) ? quiet + 1 : 0;
      if (Date.now() > deadline)
        throw new Error(`waiting for the service to come to rest: ${open.join(' ')}`);
      await pause(POLL_INTERVAL_MS);
    }
  } finally {
    await administrator.close();
  }
}

/** Records of all generations that a group has not handled yet. */
async function unhandled(
  administrator: Administrator,
  generations: Generations,
  topic: TopicName,
  group: string,
): Promise<number> {
  const { prefix } = generations;
  let count = 0;
  for (const { number: generation } of generations.of(topic)) {
    const isSuperseded = () => generations.isSuperseded(topic, generation);
    const offsets = new GroupOffsets(administrator, { prefix, group, topic, generation, isSuperseded });
    for (const { committed, start, end } of (await offsets.locate()).values())
      count += end - (committed ?? start);
  }
  return count;
}

async function readTopics({ kafka }: ClusterSettings): Promise<LogRecord[]> {
  const log = await openKafkaLog({
    clock: { now: () => Date.now() },
    options: kafka,
    logger: silent,
    halts: { onHalt: () => undefined, onResume: () => undefined },
  });
  const administrator = new Administrator(kafka, silent);
  const generations = new Generations(administrator, kafka);
  try {
    await generations.refresh();
    const records: LogRecord[] = [];
    for (const topic of TOPIC_NAMES) {
      const isRead = async (group: string) =>
        (await unhandled(administrator, generations, topic, group)) === 0;
      records.push(...(await readTopic(log, topic, isRead)));
    }
    return records;
  } finally {
    await log.close();
    await administrator.close();
  }
}

async function readTopic(
  log: KafkaLog,
  topic: TopicName,
  isRead: (group: string) => Promise<boolean>,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const handler: PartitionHandler = {
    handle: async (delivered) => {
      records.push(...delivered);
      return { nextOffset: (delivered.at(-1)?.offset ?? -1) + 1, pauseMs: 0 };
    },
    idle: async () => 'done',
    close: async () => undefined,
  };
  const group = 'checker';
  const consumer = await log.consume({ group, topic, batchRecordsMax: RECORDS_AT_ONCE, open: () => handler });
  const deadline = Date.now() + READ_MS_MAX;
  while (!(await isRead(group))) {
    if (Date.now() > deadline) throw new Error(`reading the topic ${topic} from its beginning`);
    await pause(POLL_INTERVAL_MS / 5);
  }
  await consumer.stop();
  return records;
}

async function readTables({ cassandra }: ClusterSettings): Promise<Map<string, AggregateState>> {
  const client = createClient(cassandra);
  try {
    const aggregates = new Map<string, AggregateState>();
    for (const table of TABLES) {
      for (const state of await readTable(client, cassandra.keyspace, table)) {
        aggregates.set(aggregateName(table, state.id), state);
      }
    }
    return aggregates;
  } finally {
    await client.shutdown();
  }
}

/** Past the store's own reading, so that what it does not show would be seen as well. */
async function readTable(client: Client, keyspace: string, table: TableName): Promise<AggregateState[]> {
  const query = `SELECT aggregate, kind, id, document, applied_generation, applied_offset FROM ${keyspace}."${table}"`;
  const found = [];
  for await (const row of await client.execute(query, [], { prepare: true })) found.push(row);
  return [...Map.groupBy(found, (row) => String(row['aggregate']))].map(([id, rows]) => {
    const root = rows.find((row) => row['kind'] === '' && row['id'] === '');
    if (root === undefined) throw new Error(`reading an aggregate of ${table} without a root`);
    const ordinary = rows.filter((row) => row['kind'] !== '');
    return {
      table,
      id,
      applied: { generation: root['applied_generation'], offset: Number(root['applied_offset']) },
      root: JSON.parse(root['document']),
      rows: new Map(ordinary.map((row) => [rowName(row['kind'], row['id']), JSON.parse(row['document'])])),
    };
  });
}
