import type { Partitioners, Producer, RecordMetadata, TopicMessages } from 'kafkajs';
import { CURRENT_GENERATION } from '../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { PlacedRecord } from './accumulator.ts';
import { createClient, REQUEST_TIMEOUT_MS } from './client.ts';
import { ENGINE, type KafkaLogger, type KafkaOptions, topicNameOf } from './options.ts';
import { settledWithin, within } from './within.ts';

/** How long a request may take with everything that the client tries again. Below the gateway's deadline of ten seconds. */
export const SEND_TIMEOUT_MS = 8_000;

/** How long the brokers may wait for their replicas. */
const ACKNOWLEDGE_TIMEOUT_MS = REQUEST_TIMEOUT_MS;
const ALL_REPLICAS = -1;

const DISCONNECT_TIMEOUT_MS = 10_000;

/** A record always says its partition: one that the client had to choose could change between two attempts. */
const asPlaced: typeof Partitioners.DefaultPartitioner =
  () =>
  ({ message }) => {
    if (message.partition === undefined) throw new Error('appending a record without a partition');
    return message.partition;
  };

/**
 * The idempotent producer, replaced after every failure. kafkajs gives the sequence numbers of a failed request to the
 * next one; if the failed one did arrive after all, the brokers would take the next for its repetition, acknowledge it
 * and drop it. A new producer has numbers of its own.
 */
export class KafkaProducer {
  readonly #options: KafkaOptions;
  readonly #logger: KafkaLogger;
  #producer: Promise<Producer> | null = null;
  /** Producers that are on their way out. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: KafkaOptions, logger: KafkaLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  /**
   * Sends records in one request per broker and says of each whether it is durable on enough replicas.
   *
   * @throws {EngineUnavailableError} when that is not known in time; any of them may be in the log, now or later.
   */
  async send(records: readonly PlacedRecord[]): Promise<boolean[]> {
    const connecting = this.#connected();
    const sending = connecting.then((producer) =>
      producer.sendBatch({
        acks: ALL_REPLICAS,
        timeout: ACKNOWLEDGE_TIMEOUT_MS,
        topicMessages: this.#messages(records),
      }),
    );
    try {
      const durable = this.#durableAmong(await within(SEND_TIMEOUT_MS, sending), records);
      if (durable.includes(false)) this.#replace(connecting, sending);
      return durable;
    } catch (error) {
      this.#replace(connecting, sending);
      this.#logger.warn({ err: error, records: records.length }, 'KafkaAppendFailed');
      throw error instanceof EngineUnavailableError
        ? error
        : new EngineUnavailableError(ENGINE, { cause: error });
    }
  }

  /** Connects ahead of the first record. */
  async connect(): Promise<void> {
    const connecting = this.#connected();
    try {
      await within(SEND_TIMEOUT_MS, connecting);
    } catch (error) {
      this.#replace(connecting, connecting);
      throw new EngineUnavailableError(ENGINE, { cause: error });
    }
  }

  async close(): Promise<void> {
    if (this.#producer !== null) this.#replace(this.#producer, this.#producer);
    await settledWithin(DISCONNECT_TIMEOUT_MS, Promise.all(this.#leaving));
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
      await settledWithin(DISCONNECT_TIMEOUT_MS, producer.disconnect());
      throw error;
    }
  }

  /** The next record goes through a new producer; this one ends when the client has given up on its last request. */
  #replace(producer: Promise<Producer>, last: Promise<unknown>): void {
    if (this.#producer === producer) this.#producer = null;
    const leaving = this.#leave(producer, last).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async #leave(connecting: Promise<Producer>, last: Promise<unknown>): Promise<void> {
    try {
      await last;
    } catch {
      // Whoever sent it has been told. Disconnecting earlier would make the client connect again for its next attempt.
    }
    try {
      await (await connecting).disconnect();
    } catch {
      // A producer that never connected has nothing to give back.
    }
  }

  #messages(records: readonly PlacedRecord[]): TopicMessages[] {
    const topics = Map.groupBy(records, ({ topic }) => topic);
    return [...topics].map(([topic, messages]) => ({
      topic: topicNameOf(this.#options.prefix, topic, CURRENT_GENERATION),
      messages: messages.map(({ key, value, partition }) => ({ key, value, partition })),
    }));
  }

  /** The client leaves a partition out of its answer when its leader moved between two attempts: nobody has it then. */
  #durableAmong(answers: readonly RecordMetadata[], records: readonly PlacedRecord[]): boolean[] {
    const acknowledged = new Set(
      answers
        .filter(({ errorCode }) => errorCode === 0)
        .map(({ topicName, partition }) => `${topicName}/${partition}`),
    );
    return records.map(({ topic, partition }) =>
      acknowledged.has(`${topicNameOf(this.#options.prefix, topic, CURRENT_GENERATION)}/${partition}`),
    );
  }
}
