import type { Administrator } from './administrator.ts';
import type { KafkaOptions } from './options.ts';
import type { KafkaProducer } from './producer.ts';
import { retryUntilVisible } from './retry-until-visible.ts';
import { createClockTopic } from './topic-settings.ts';

/** Interval between two probes of the brokers' clocks. */
const PROBE_EVERY_MS = 5_000;

/** Spread over the brokers, so that most of their clocks are probed. */
const PARTITIONS = 6;

/** Returns the topic of the probes. Nothing reads it. */
function clockTopicOf(prefix: string): string {
  return `${prefix}clock`;
}

/**
 * Measures the brokers' clocks: appends tiny records from time to time and reads their timestamps. Kafka has no
 * request for its time.
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

  /**
   * Creates the topic if it is missing, and sends the first probe.
   *
   * @throws {EngineUnavailableError}
   */
  async start(administrator: Administrator, options: KafkaOptions): Promise<void> {
    await createClockTopic(administrator, options, { name: this.#topic, partitions: PARTITIONS });
    await administrator.ask((admin) => retryUntilVisible(() => admin.fetchTopicOffsets(this.#topic)));
    await this.#ask();
    this.#timer = setInterval(() => {
      this.#asking = this.#asking.then(() => this.#ask());
    }, PROBE_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#asking;
  }

  /** A probe without an answer measures nothing. Other checks report silent brokers. */
  async #ask(): Promise<void> {
    await this.#producer.probe(this.#topic, PARTITIONS).catch(() => undefined);
  }
}
