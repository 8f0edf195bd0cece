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
/** The group that reads for the checker, and how often it reads what came while the tables were read. */
const CHECKER = 'checker';
const READS_MAX = 5;
const silent = { warn: () => undefined, error: () => undefined };

/**
 * Waits until the service has nothing left to do, and reads every topic from its first record on and every table, past the
 * ways that faults break. A sweep may send a command in between, so it reads on until none has come.
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
  const administrator = new Administrator(cluster.kafka, silent);
  const backlog = new Backlog(administrator, new Generations(administrator, cluster.kafka));
  try {
    await untilQuiet(backlog);
    const records: LogRecord[] = [];
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      records.push(...(await readTopics(cluster, backlog)));
      await untilQuiet(backlog);
      const aggregates = await readTables(cluster);
      if ((await backlog.total(() => CHECKER)) === 0) return { records, aggregates };
    }
    throw new Error(`reading topics and tables while no command comes, in ${READS_MAX} tries`);
  } finally {
    await administrator.close();
  }
}

/** Records that groups have not handled yet, in all generations of topics. */
class Backlog {
  readonly #administrator: Administrator;
  readonly #generations: Generations;

  constructor(administrator: Administrator, generations: Generations) {
    this.#administrator = administrator;
    this.#generations = generations;
  }

  /** Those of all topics, by the group of each. */
  async total(groupOf: (topic: TopicName) => string): Promise<number> {
    await this.#generations.refresh();
    const counts = await Promise.all(TOPIC_NAMES.map((topic) => this.of(topic, groupOf(topic))));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async of(topic: TopicName, group: string): Promise<number> {
    const { prefix } = this.#generations;
    let count = 0;
    for (const { number: generation } of this.#generations.of(topic)) {
      const isSuperseded = () => this.#generations.isSuperseded(topic, generation);
      const place = { prefix, group, topic, generation, isSuperseded };
      const offsets = new GroupOffsets(this.#administrator, place);
      for (const { committed, start, end } of (await offsets.locate()).values())
        count += end - (committed ?? start);
    }
    return count;
  }
}

async function untilQuiet(backlog: Backlog): Promise<void> {
  const deadline = Date.now() + QUIET_MS_MAX;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const open = await backlog.total(handlingGroupOf);
    quiet = open === 0 ? quiet + 1 : 0;
    if (Date.now() > deadline) throw new Error(`waiting for the service to come to rest: ${open} records`);
    await pause(POLL_INTERVAL_MS);
  }
}

/** Reads the records of all topics that were not read before. */
async function readTopics({ kafka }: ClusterSettings, backlog: Backlog): Promise<LogRecord[]> {
  const log = await openKafkaLog({
    clock: { now: () => Date.now() },
    options: kafka,
    logger: silent,
    halts: { onHalt: () => undefined, onResume: () => undefined },
  });
  try {
    const records: LogRecord[] = [];
    for (const topic of TOPIC_NAMES) {
      records.push(...(await readTopic(log, topic, async () => (await backlog.of(topic, CHECKER)) === 0)));
    }
    return records;
  } finally {
    await log.close();
  }
}

async function readTopic(
  log: KafkaLog,
  topic: TopicName,
  isRead: () => Promise<boolean>,
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
  const consumer = await log.consume({
    group: CHECKER,
    topic,
    batchRecordsMax: RECORDS_AT_ONCE,
    open: () => handler,
  });
  const deadline = Date.now() + READ_MS_MAX;
  while (!(await isRead())) {
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
