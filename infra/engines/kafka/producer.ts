import type { Partitioners, Producer, RecordMetadata, TopicMessages } from 'kafkajs';
import { settlesWithin, withTimeout } from '../../../schemas/base/timeout.ts';
import { partitionOf } from '../../../topics/partition.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { SizedRecord } from './accumulator.ts';
import { createClient, REQUEST_TIMEOUT_MS } from './client.ts';
import { hasErrorType } from './error-type.ts';
import type { Generations } from './generations.ts';
import type { LogClock } from './log-clock.ts';
import { ENGINE, type KafkaLogger, type KafkaOptions, noAnswer } from './options.ts';

/** Timeout of a request, including the retries of the client. Below the gateway's deadline of ten seconds. */
export const SEND_TIMEOUT_MS = 8_000;

/** Timeout of the brokers for their replicas. */
const ACKNOWLEDGE_TIMEOUT_MS = REQUEST_TIMEOUT_MS;
const ALL_REPLICAS = -1;

const DISCONNECT_TIMEOUT_MS = 10_000;

/** The error of a broker for a record that a closed generation does not take, or that is too large. */
const TOO_LARGE = 'MESSAGE_TOO_LARGE';

/** A record with its Kafka topic and the partition of its key. */
interface PlacedRecord extends Pick<SizedRecord, 'key' | 'value'> {
  readonly topicName: string;
  readonly partition: number;
}

/** Uses the partition of each record. A partition chosen by the client could change between two attempts. */
export const asPlaced: typeof Partitioners.DefaultPartitioner =
  () =>
  ({ message }) => {
    if (message.partition === undefined) throw new Error('appending a record without a partition');
    return message.partition;
  };

/**
 * The idempotent producer, replaced after every failure. kafkajs reuses the sequence numbers of a failed request. If
 * that request did arrive, the brokers would take the next one for its repetition, acknowledge it and drop it. A new
 * producer has new sequence numbers.
 */
export class KafkaProducer {
  readonly #options: KafkaOptions;
  readonly #logger: KafkaLogger;
  readonly #generations: Generations;
  readonly #logClock: LogClock;
  #producer: Promise<Producer> | null = null;
  /** Producers that are disconnecting. */
  readonly #leaving = new Set<Promise<void>>();

  /** @param logClock records the brokers' timestamps */
  constructor(options: KafkaOptions, logger: KafkaLogger, generations: Generations, logClock: LogClock) {
    this.#logClock = logClock;
    this.#options = options;
    this.#logger = logger;
    this.#generations = generations;
  }

  /**
   * Sends records in one request for each broker, and resolves with one flag for each record: true if it is durable
   * on enough replicas. Records wait while a topic changes to its next generation. Records of a topic without an open
   * generation are not sent.
   *
   * @throws {EngineUnavailableError} if the result is not known in time; any of the records may be in the log, now or
   * later
   */
  async send(records: readonly SizedRecord[]): Promise<boolean[]> {
    await this.#generations.untilChangedOver(new Set(records.map(({ topic }) => topic)));
    const places = records.map((record) => this.#place(record));
    const placed = places.filter((record) => record !== null);
    const acknowledged = placed.length === 0 ? [] : await this.#sendPlaced(placed);
    const durable = new Set(placed.filter((_, index) => acknowledged[index]));
    return places.map((record) => record !== null && durable.has(record));
  }

  /** Reads the brokers' time: appends a record without content to each partition of a topic. */
  async probe(topicName: string, partitions: number): Promise<void> {
    const records = Array.from({ length: partitions }, (_, partition) => {
      return { topicName, partition, key: 'clock', value: '' };
    });
    const connecting = this.#connected();
    const sending = connecting.then((producer) => this.#askTime(producer, records));
    try {
      await withTimeout(SEND_TIMEOUT_MS, sending, noAnswer);
    } catch (error) {
      this.#replace(connecting, sending);
      throw error;
    }
  }

  async #askTime(producer: Producer, records: readonly PlacedRecord[]): Promise<void> {
    const sentAt = this.#logClock.ownNow();
    const answers = await this.#sendWith(producer, records);
    const answeredAt = this.#logClock.ownNow();
    for (const { partition, errorCode, logAppendTime } of answers) {
      const stampedAt = Number(logAppendTime);
      if (errorCode === 0 && stampedAt > 0) this.#logClock.note(partition, stampedAt, sentAt, answeredAt);
    }
  }

  async #sendPlaced(records: readonly PlacedRecord[]): Promise<boolean[]> {
    const connecting = this.#connected();
    const sending = connecting.then((producer) => this.#sendWith(producer, records));
    try {
      const durable = durableAmong(await withTimeout(SEND_TIMEOUT_MS, sending, noAnswer), records);
      if (durable.includes(false)) this.#replace(connecting, sending);
      return durable;
    } catch (error) {
      this.#replace(connecting, sending);
      this.#logger.warn({ err: error, records: records.length }, 'KafkaAppendFailed');
      if (isTooLarge(error)) {
        // Other topics of the request may have taken their records, so the producer must not silently resend it.
        await this.#generations.refresh();
        return records.map(() => false);
      }
      throw error instanceof EngineUnavailableError
        ? error
        : new EngineUnavailableError(ENGINE, { cause: error });
    }
  }

  #sendWith(producer: Producer, records: readonly PlacedRecord[]): Promise<RecordMetadata[]> {
    return producer.sendBatch({
      acks: ALL_REPLICAS,
      timeout: ACKNOWLEDGE_TIMEOUT_MS,
      topicMessages: messagesOf(records),
    });
  }

  /** Connects before the first record. */
  async connect(): Promise<void> {
    const connecting = this.#connected();
    try {
      await withTimeout(SEND_TIMEOUT_MS, connecting, noAnswer);
    } catch (error) {
      this.#replace(connecting, connecting);
      throw new EngineUnavailableError(ENGINE, { cause: error });
    }
  }

  async close(): Promise<void> {
    if (this.#producer !== null) this.#replace(this.#producer, this.#producer);
    await settlesWithin(DISCONNECT_TIMEOUT_MS, Promise.all(this.#leaving));
  }

  #connected(): Promise<Producer> {
    this.#producer ??= this.#open();
    return this.#producer;
  }

  async #open(): Promise<Producer> {
    const producer = createClient(this.#options, this.#logger).producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: asPlaced,
    });
    try {
      await producer.connect();
      return producer;
    } catch (error) {
      await settlesWithin(DISCONNECT_TIMEOUT_MS, producer.disconnect());
      throw error;
    }
  }

  /** Sends the next record through a new producer. The old one ends when the client has given up its last request. */
  #replace(producer: Promise<Producer>, last: Promise<unknown>): void {
    if (this.#producer === producer) this.#producer = null;
    const leaving = this.#leave(producer, last).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async #leave(connecting: Promise<Producer>, last: Promise<unknown>): Promise<void> {
    try {
      await last;
    } catch {
      // The sender has the error. An earlier disconnect would make the client reconnect for its next retry.
    }
    try {
      await (await connecting).disconnect();
    } catch {
      // A producer that never connected holds no resources.
    }
  }

  /** Returns null while the record's topic takes no records. */
  #place(record: SizedRecord): PlacedRecord | null {
    const generation = this.#generations.openOf(record.topic);
    if (generation === null) return null;
    const topicName = this.#generations.nameOf(record.topic, generation.number);
    return { ...record, topicName, partition: partitionOf(record.key, generation.partitions) };
  }
}

function messagesOf(records: readonly PlacedRecord[]): TopicMessages[] {
  const topics = Map.groupBy(records, ({ topicName }) => topicName);
  return [...topics].map(([topic, messages]) => ({
    topic,
    messages: messages.map(({ key, value, partition }) => ({ key, value, partition })),
  }));
}

/**
 * Returns the flags of durability. The client's answer lacks a partition whose leader moved between two attempts: its
 * records are not durable.
 */
function durableAmong(answers: readonly RecordMetadata[], records: readonly PlacedRecord[]): boolean[] {
  const acknowledged = new Set(
    answers
      .filter(({ errorCode }) => errorCode === 0)
      .map(({ topicName, partition }) => `${topicName}/${partition}`),
  );
  return records.map(({ topicName, partition }) => acknowledged.has(`${topicName}/${partition}`));
}

/** True if a broker rejected a record for its length. */
export function isTooLarge(error: unknown): boolean {
  return hasErrorType(error, [TOO_LARGE]);
}
