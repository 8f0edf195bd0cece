import type { Administrator } from './administrator.ts';
import { onceKnown } from './once-known.ts';
import type { KafkaOptions } from './options.ts';
import type { KafkaProducer } from './producer.ts';
import { createClockTopic } from './topic-settings.ts';

/** How often a process asks the brokers for the time. */
const PROBE_EVERY_MS = 5_000;

/** Spread over the brokers, so that the clocks of most of them are seen. */
const PARTITIONS = 6;

/** The topic that probes are appended to. Nothing reads it. */
export function clockTopicOf(prefix: string): string {
  return `${prefix}clock`;
}

/**
 * Appends tiny records from time to time and notes their stamps: Kafka tells its time in no other way.
 */
export class ClockProbe {
  readonly #producer: KafkaProducer;
  readonly #topic: string;
  #timer: NodeJS.Timeout | null = null;
  #asking: Promise<void> = Promise.resolve();

  constructor(producer: KafkaProducer, { prefix }: KafkaOptions) {
    this.#producer = producer;
    this.#topic = clockTopicOf(prefix);
  }

  /** Makes the topic if it is missing, and asks for the first time. @throws {EngineUnavailableError} */
  async start(administrator: Administrator, options: KafkaOptions): Promise<void> {
    await createClockTopic(administrator, options, { name: this.#topic, partitions: PARTITIONS });
    await administrator.ask((admin) => onceKnown(() => admin.fetchTopicOffsets(this.#topic)));
    await this.#ask();
    this.#timer = setInterval(() => {
      this.#asking = this.#asking.then(() => this.#ask());
    }, PROBE_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#asking;
  }

  /** A probe without an answer says nothing; that the brokers are silent is told elsewhere. */
  async #ask(): Promise<void> {
    await this.#producer.probe(this.#topic, PARTITIONS).catch(() => undefined);
  }
}
