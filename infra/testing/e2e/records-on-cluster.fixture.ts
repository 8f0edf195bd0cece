import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Consumer } from 'kafkajs';
import { FIRST_GENERATION, TOPIC_NAMES, type TopicName } from '../../../topics/catalogue.ts';
import { createClient } from '../../engines/kafka/client.ts';
import { silent } from '../../engines/kafka/kafka-log.fixture.ts';
import { type KafkaOptions, topicNameOf } from '../../engines/kafka/options.ts';

/** Time for which a broker may delay its answer if there are no new records. */
const FETCH_WAIT_MS = 100;

const POLL_INTERVAL_MS = 10;
const CATCH_UP_MS_MAX = 90_000;

export interface StoredRecord {
  readonly topic: TopicName;
  readonly key: string;
  readonly value: string;
}

/** Every record of a service's topics on Kafka, read from their beginning and from then on as they come. */
export class RecordsOnCluster {
  readonly #prefix: string;
  readonly #admin: Admin;
  readonly #consumer: Consumer;
  readonly #records: StoredRecord[] = [];
  /** The offset after the last record that was read, by topic and partition. */
  readonly #read = new Map<string, number>();

  static async open(options: KafkaOptions): Promise<RecordsOnCluster> {
    const records = new RecordsOnCluster(options);
    await records.#begin();
    return records;
  }

  private constructor(options: KafkaOptions) {
    this.#prefix = options.prefix;
    this.#admin = createClient(options, silent).admin();
    this.#consumer = createClient(options, silent).consumer({
      groupId: `look-${randomUUID()}`,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
    });
  }

  /** Returns all records of the topics up to now. */
  async all(): Promise<readonly StoredRecord[]> {
    const ends = await this.#ends();
    const deadline = performance.now() + CATCH_UP_MS_MAX;
    while ([...ends].some(([place, end]) => (this.#read.get(place) ?? 0) < end)) {
      if (performance.now() > deadline) throw new Error('reading the topics to their end');
      await sleep(POLL_INTERVAL_MS);
    }
    return this.#records;
  }

  /** Records that a group has not handled, for every group but those that stay behind on purpose. */
  async unhandled(): Promise<number> {
    const { groups } = await this.#admin.listGroups();
    const ours = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(this.#prefix));
    let count = 0;
    const ends = await this.#ends();
    for (const topic of TOPIC_NAMES.filter((name) => name !== 'dead-letters')) {
      const readers = ours.filter(
        (id) => id.endsWith(`.${topic}`) && !id.startsWith(`${this.#prefix}sweep-`),
      );
      for (const groupId of readers) count += await this.#behind(groupId, topic, ends);
    }
    return count;
  }

  async close(): Promise<void> {
    await this.#consumer.disconnect();
    await this.#admin.disconnect();
  }

  async #begin(): Promise<void> {
    await this.#admin.connect();
    await this.#consumer.connect();
    const names = new Map(TOPIC_NAMES.map((topic) => [this.#nameOf(topic), topic]));
    await this.#consumer.subscribe({ topics: [...names.keys()], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic: name, partition, message: { key, value, offset } }) => {
        const topic = names.get(name) as TopicName;
        this.#records.push({ topic, key: key?.toString() ?? '', value: value?.toString() ?? '' });
        this.#read.set(`${topic} ${partition}`, Number(offset) + 1);
      },
    });
  }

  async #behind(groupId: string, topic: TopicName, ends: ReadonlyMap<string, number>): Promise<number> {
    const [found] = await this.#admin.fetchOffsets({ groupId, topics: [this.#nameOf(topic)] });
    const behind = found?.partitions.map(
      ({ partition, offset }) => (ends.get(`${topic} ${partition}`) ?? 0) - Math.max(0, Number(offset)),
    );
    return behind?.reduce((sum, each) => sum + each, 0) ?? 0;
  }

  /** The offset after the last record of every partition that has any. */
  async #ends(): Promise<ReadonlyMap<string, number>> {
    const bounds = await Promise.all(
      TOPIC_NAMES.map(async (topic) => {
        const partitions = await this.#admin.fetchTopicOffsets(this.#nameOf(topic));
        return partitions.map(({ partition, high }) => [`${topic} ${partition}`, Number(high)] as const);
      }),
    );
    return new Map(bounds.flat());
  }

  #nameOf(topic: TopicName): string {
    return topicNameOf(this.#prefix, topic, FIRST_GENERATION);
  }
}
