import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type ITopicConfig } from 'kafkajs';
import { CURRENT_GENERATION, TOPIC_NAMES, TOPICS, type TopicName } from '../../topics/catalogue.ts';
import type { Administrator } from './administrator.ts';
import { DEFAULT_REPLICATION, type KafkaOptions, topicNameOf } from './options.ts';

/** A single record with key and value may have so many bytes. */
export const RECORD_BYTES_MAX = 4 * 1024 * 1024;

/** A batch with one such record, and room for what surrounds it. */
const MESSAGE_BYTES_MAX = RECORD_BYTES_MAX + 64 * 1024;

/** Brokers stamp the time: design rule 1 folds by it, and a client's clock may say anything. */
const TIMESTAMP_SETTING = 'message.timestamp.type';
const BROKERS_TIME = 'LogAppendTime';

/** How long the brokers may take to make topics, and then until they all know of them. */
const CREATE_TIMEOUT_MS = 5_000;
const SPREAD_TIMEOUT_MS = 5_000;
const SPREAD_PAUSE_MS = 50;

/** What a broker says of a topic that it has not heard of yet, or whose partitions have no leader yet. */
const NOT_YET: readonly unknown[] = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
];

/**
 * Makes the topics of the catalogue that are missing, and checks those that are there. May run in any number of
 * processes at the same time.
 *
 * @throws {Error} when a topic was made with other partitions than the catalogue says, or is not stamped by the broker.
 * @throws {EngineUnavailableError} when the cluster does not answer.
 */
export async function ensureTopics(administrator: Administrator, options: KafkaOptions): Promise<void> {
  const existing = new Set(await administrator.ask((admin) => admin.listTopics()));
  const missing = TOPIC_NAMES.filter((topic) => !existing.has(nameOf(options, topic)));
  if (missing.length > 0) {
    const topics = missing.map((topic) => definitionOf(options, topic));
    await administrator.ask((admin) =>
      admin.createTopics({ topics, timeout: CREATE_TIMEOUT_MS, waitForLeaders: false }),
    );
    // The client's own wait gives up at the first broker that has not heard of them. Leaders answer for offsets only.
    for (const { topic } of topics) {
      await administrator.ask((admin) => onceKnown(() => admin.fetchTopicOffsets(topic)));
    }
  }
  await requirePartitions(administrator, options);
  await requireBrokersTime(administrator, options);
}

function nameOf({ prefix }: KafkaOptions, topic: TopicName): string {
  return topicNameOf(prefix, topic, CURRENT_GENERATION);
}

function definitionOf(options: KafkaOptions, topic: TopicName): ITopicConfig {
  const { factor, minInSync } = options.replication ?? DEFAULT_REPLICATION;
  const { partitions, retentionMs } = TOPICS[topic];
  const settings = {
    'cleanup.policy': 'delete',
    'retention.ms': String(retentionMs),
    'retention.bytes': '-1',
    'max.message.bytes': String(MESSAGE_BYTES_MAX),
    'min.insync.replicas': String(minInSync),
    'unclean.leader.election.enable': 'false',
    [TIMESTAMP_SETTING]: BROKERS_TIME,
  };
  return {
    topic: nameOf(options, topic),
    numPartitions: partitions,
    replicationFactor: factor,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  };
}

async function requirePartitions(administrator: Administrator, options: KafkaOptions): Promise<void> {
  const names = TOPIC_NAMES.map((topic) => nameOf(options, topic));
  const { topics } = await administrator.ask((admin) =>
    onceKnown(() => admin.fetchTopicMetadata({ topics: names })),
  );
  for (const topic of TOPIC_NAMES) {
    const found = topics.find(({ name }) => name === nameOf(options, topic))?.partitions.length ?? 0;
    const { partitions } = TOPICS[topic];
    if (found !== partitions) {
      throw new Error(
        `opening the topic ${nameOf(options, topic)}: it has ${found} partitions, and the catalogue says ${partitions}`,
      );
    }
  }
}

/** Asks again until a topic that was made just now is known everywhere. */
async function onceKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const deadline = performance.now() + SPREAD_TIMEOUT_MS; ; await sleep(SPREAD_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      const type = error instanceof Error && 'type' in error ? error.type : null;
      if (!NOT_YET.includes(type) || performance.now() > deadline) throw error;
    }
  }
}

async function requireBrokersTime(administrator: Administrator, options: KafkaOptions): Promise<void> {
  const { resources } = await administrator.ask((admin) =>
    admin.describeConfigs({
      includeSynonyms: false,
      resources: TOPIC_NAMES.map((topic) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name: nameOf(options, topic),
        configNames: [TIMESTAMP_SETTING],
      })),
    }),
  );
  for (const { resourceName, configEntries } of resources) {
    const type = configEntries.find(({ configName }) => configName === TIMESTAMP_SETTING)?.configValue;
    if (type !== BROKERS_TIME) {
      throw new Error(`opening the topic ${resourceName}: ${TIMESTAMP_SETTING} has to be ${BROKERS_TIME}`);
    }
  }
}
