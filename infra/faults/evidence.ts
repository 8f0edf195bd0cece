import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'cassandra-driver';
import { mergeLimits } from '../../schemas/limits.ts';
import { TABLES, type TableName, TOPIC_NAMES, TOPICS, type TopicName } from '../../topics/catalogue.ts';
import type { LogRecord, PartitionHandler } from '../../topics/ports/log.ts';
import { createClient } from '../cassandra/driver.ts';
import { Administrator } from '../kafka/administrator.ts';
import { GroupOffsets } from '../kafka/group-offsets.ts';
import { type KafkaLog, openKafkaLog } from '../kafka/log.ts';
import type { ClusterSettings } from '../service/cluster-settings.ts';
import { folds } from '../service/processors.ts';
import { readSettings } from '../service/settings.ts';
import type { Evidence } from './check.ts';
import type { History } from './history.ts';
import type { CountedKind } from './loads/load.ts';
import { type AggregateState, aggregateName, refold, rowName } from './refold.ts';
import { RUN_LIMITS, type Stage } from './stage.ts';

/** How long the processors may take to work off what is left, and how often that is looked at. */
const QUIET_MS_MAX = 90_000;
const LOOK_EVERY_MS = 500;
/** Looks in a row that find nothing to do: a group can be between what it read and what it asks for. */
const QUIET_LOOKS = 3;

const READ_MS_MAX = 60_000;
const RECORDS_AT_ONCE = 10_000;
const silent = { warn: () => undefined, error: () => undefined };

/**
 * Waits until the service has nothing left to do, and reads every topic from its first record on and every table.
 *
 * @throws {Error} when the service does not come to rest in time.
 */
export async function gather(
  stage: Stage,
  history: History,
  counted: readonly CountedKind[],
): Promise<Evidence> {
  const cluster = directSettings(stage);
  await untilQuiet(cluster);
  const records = await readTopics(cluster);
  return {
    operations: history.operations,
    stored: await readTables(cluster),
    records,
    refolded: refold(records, folds(mergeLimits(RUN_LIMITS))),
    counted,
  };
}

/** The settings of the run's processes, past the ways that faults break. */
function directSettings({ environment, cluster: { addresses } }: Stage): ClusterSettings {
  const { cluster } = readSettings({
    ...environment,
    KAFKA_BROKERS: addresses.kafka,
    CASSANDRA_CONTACT_POINTS: addresses.cassandra,
    REDIS_URL: addresses.redis,
  });
  if (cluster === null) throw new Error('gathering evidence of a service without a cluster');
  return cluster;
}

async function untilQuiet({ kafka }: ClusterSettings): Promise<void> {
  const administrator = new Administrator(kafka, silent);
  const groups = TOPIC_NAMES.flatMap((topic) => {
    const group = handlingGroup(topic);
    return group === null ? [] : [new GroupOffsets(administrator, kafka.prefix, group, topic)];
  });
  try {
    const deadline = Date.now() + QUIET_MS_MAX;
    for (let quiet = 0; quiet < QUIET_LOOKS; ) {
      const open = await Promise.all(groups.map(unhandled));
      quiet = open.every((count) => count === 0) ? quiet + 1 : 0;
      if (Date.now() > deadline)
        throw new Error(`waiting for the service to come to rest: ${open.join(' ')}`);
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    await administrator.close();
  }
}

/** The group that has to have handled everything; sweepers stay behind on purpose, and people read dead letters. */
function handlingGroup(topic: TopicName): string | null {
  switch (TOPICS[topic].kind) {
    case 'commands':
      return `fold-${topic}`;
    case 'work':
      return `work-${topic}`;
    case 'dead-letters':
      return null;
  }
}

async function unhandled(offsets: GroupOffsets): Promise<number> {
  const partitions = [...(await offsets.locate()).values()];
  return partitions.reduce((sum, { committed, start, end }) => sum + end - (committed ?? start), 0);
}

async function readTopics({ kafka }: ClusterSettings): Promise<LogRecord[]> {
  const log = await openKafkaLog({ options: kafka, logger: silent, onHalt: () => undefined });
  try {
    const records: LogRecord[] = [];
    for (const topic of TOPIC_NAMES) records.push(...(await readTopic(log, topic)));
    return records;
  } finally {
    await log.close();
  }
}

async function readTopic(log: KafkaLog, topic: TopicName): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const handler: PartitionHandler = {
    handle: async (delivered) => {
      records.push(...delivered);
      return { nextOffset: (delivered.at(-1)?.offset ?? -1) + 1, pauseMs: 0 };
    },
    idle: async () => undefined,
    close: async () => undefined,
  };
  const group = 'checker';
  const consumer = await log.consume({ group, topic, batchRecordsMax: RECORDS_AT_ONCE, open: () => handler });
  const deadline = Date.now() + READ_MS_MAX;
  for (;;) {
    const partitions = await consumer.status();
    const all = partitions.length === TOPICS[topic].partitions;
    if (all && partitions.every(({ lag }) => lag === 0)) break;
    if (Date.now() > deadline) throw new Error(`reading the topic ${topic} from its beginning`);
    await pause(LOOK_EVERY_MS / 5);
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
