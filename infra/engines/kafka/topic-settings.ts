import kafkajs, { type ITopicConfig } from 'kafkajs';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import { TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import type { Administrator } from './administrator.ts';
import { DEFAULT_REPLICATION, type KafkaOptions, topicNameOf } from './options.ts';

/** Bytes of key and value of a single record. */
export const RECORD_BYTES_MAX = 4 * 1024 * 1024;

/** Bytes of a batch with one largest record and its headers. */
export const MESSAGE_BYTES_MAX = RECORD_BYTES_MAX + 64 * 1024;

/**
 * Bytes of a batch in a closed generation: enough for a marker, and too few for a command, whose envelope alone is
 * several times as long. So the brokers reject every writer, even one that does not know of the next generation.
 */
export const CLOSED_BYTES_MAX = 128;

/** Timeout of the brokers for creating topics. */
const CREATE_TIMEOUT_MS = 5_000;

const BYTES_SETTING = 'max.message.bytes';

/**
 * The brokers set the time of a record: folds use it (infra/docs/decisions/0006-clocks.md), and a client's clock may
 * be wrong.
 */
const TIMESTAMP_SETTING = 'message.timestamp.type';
const BROKERS_TIME = 'LogAppendTime';

/** The source of a setting that is configured for the topic. */
const OF_THE_TOPIC = 1;

/** A generation to create. */
export interface NewGeneration {
  readonly topic: TopicName;
  readonly generation: number;
  readonly partitions: number;
  readonly bytesMax: number;
}

/** Creates generations. Existing ones stay as they are. */
export async function createGenerations(
  administrator: Administrator,
  options: KafkaOptions,
  generations: readonly NewGeneration[],
): Promise<void> {
  const topics = generations.map((generation) => definitionOf(options, generation));
  await administrator.ask((admin) =>
    admin.createTopics({ topics, timeout: CREATE_TIMEOUT_MS, waitForLeaders: false }),
  );
}

function definitionOf(
  options: KafkaOptions,
  { topic, generation, partitions, bytesMax }: NewGeneration,
): ITopicConfig {
  const name = topicNameOf(options.prefix, topic, generation);
  const { retentionMs } = TOPICS[topic];
  return topicWith(options, { name, partitions, retentionMs, bytesMax });
}

/** Creates the topic of the clock probes if it is missing. */
export async function createClockTopic(
  administrator: Administrator,
  options: KafkaOptions,
  { name, partitions }: { readonly name: string; readonly partitions: number },
): Promise<void> {
  const settings = { name, partitions, retentionMs: HOUR_MS, bytesMax: MESSAGE_BYTES_MAX };
  const topics = [topicWith(options, settings)];
  await administrator.ask((admin) =>
    admin.createTopics({ topics, timeout: CREATE_TIMEOUT_MS, waitForLeaders: false }),
  );
}

interface TopicSettings {
  readonly name: string;
  readonly partitions: number;
  readonly retentionMs: number;
  readonly bytesMax: number;
}

function topicWith(options: KafkaOptions, wanted: TopicSettings): ITopicConfig {
  const { factor, minInSync } = options.replication ?? DEFAULT_REPLICATION;
  const settings = {
    'cleanup.policy': 'delete',
    'retention.ms': String(wanted.retentionMs),
    'retention.bytes': '-1',
    [BYTES_SETTING]: String(wanted.bytesMax),
    'min.insync.replicas': String(minInSync),
    'unclean.leader.election.enable': 'false',
    [TIMESTAMP_SETTING]: BROKERS_TIME,
  };
  return {
    topic: wanted.name,
    numPartitions: wanted.partitions,
    replicationFactor: factor,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  };
}

/** Returns the Kafka topics among these that are closed to writers. */
export async function closedAmong(
  administrator: Administrator,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = await readSetting(administrator, names, BYTES_SETTING);
  return new Set(names.filter((name) => Number(values.get(name)) <= CLOSED_BYTES_MAX));
}

/** @throws {Error} if the brokers do not set the timestamps of a topic */
export async function requireBrokersTime(
  administrator: Administrator,
  names: readonly string[],
): Promise<void> {
  const values = await readSetting(administrator, names, TIMESTAMP_SETTING);
  for (const name of names) {
    if (values.get(name) !== BROKERS_TIME) {
      throw new Error(`opening the topic ${name}: ${TIMESTAMP_SETTING} has to be ${BROKERS_TIME}`);
    }
  }
}

/** Sets the largest batch of a topic, and keeps its other settings. */
export async function changeBytesMax(
  administrator: Administrator,
  name: string,
  bytesMax: number,
): Promise<void> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const { resources } = await administrator.ask((admin) =>
    admin.describeConfigs({ includeSynonyms: false, resources: [{ type, name }] }),
  );
  // The request that the client supports replaces all settings of a topic at once.
  const own = (resources[0]?.configEntries ?? []).filter(
    (entry) => (entry.configSource as number) === OF_THE_TOPIC && entry.configName !== BYTES_SETTING,
  );
  const configEntries = [
    ...own.map(({ configName, configValue }) => ({ name: configName, value: configValue })),
    { name: BYTES_SETTING, value: String(bytesMax) },
  ];
  await administrator.ask((admin) =>
    admin.alterConfigs({ validateOnly: false, resources: [{ type, name, configEntries }] }),
  );
}

/** Returns the values of one setting by the names of the topics. */
async function readSetting(
  administrator: Administrator,
  names: readonly string[],
  setting: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  if (names.length === 0) return new Map();
  const { resources } = await administrator.ask((admin) =>
    admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: [setting],
      })),
    }),
  );
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      configEntries.find(({ configName }) => configName === setting)?.configValue,
    ]),
  );
}
