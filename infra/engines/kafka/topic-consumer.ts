import { handlingGroupOf } from '../../../topics/catalogue.ts';
import type {
  Consumer,
  Log,
  LogRecord,
  PartitionHandler,
  PartitionStatus,
  Progress,
  Subscription,
} from '../../../topics/ports/log.ts';
import type { HaltListener } from '../shared/delivery.ts';
import type { RecordMemory } from '../shared/record-memory.ts';
import { Signal } from '../shared/signal.ts';
import type { Administrator } from './administrator.ts';
import { KafkaConsumer } from './consumer.ts';
import type { Generation, Generations } from './generations.ts';
import { GroupOffsets } from './group-offsets.ts';
import type { KafkaLogger, KafkaOptions } from './options.ts';

/** Interval at which a consumer checks if its group has finished the newest generation that it reads. */
const POLL_INTERVAL_MS = 1_000;

/** Pause before records behind a marker are forwarded again. */
const FORWARD_PAUSE_MS = 500;

export interface TopicConsumerDependencies {
  readonly memory: RecordMemory;
  readonly options: KafkaOptions;
  readonly subscription: Subscription;
  readonly administrator: Administrator;
  readonly generations: Generations;
  readonly append: Log['append'];
  readonly logger: KafkaLogger;
  readonly halts: HaltListener;
}

interface Reader {
  readonly generation: number;
  readonly offsets: GroupOffsets;
  readonly consumer: KafkaConsumer;
}

/**
 * Consumes a topic for one subscription, generation after generation
 * (infra/docs/decisions/0003-partitions-and-generations.md). It begins the next generation when the group has handled
 * every partition of the one before. So the order of every key holds, although keys move to other partitions. It also
 * reads older generations, for records that a late writer appends behind their markers.
 */
export class TopicConsumer implements Consumer {
  readonly #dependencies: TopicConsumerDependencies;
  readonly #readers: Reader[] = [];
  readonly #signal = new Signal();
  #stopping = false;
  #watching: Promise<void> = Promise.resolve();

  /**
   * Joins the groups of every generation to read, and resolves when the first offsets of their partitions are known.
   *
   * @throws {EngineUnavailableError} if that exceeds its timeout
   */
  static async start(dependencies: TopicConsumerDependencies): Promise<TopicConsumer> {
    const consumer = new TopicConsumer(dependencies);
    try {
      while (await consumer.#beginNext());
    } catch (error) {
      await consumer.stop();
      throw error;
    }
    consumer.#watching = consumer.#watch();
    return consumer;
  }

  private constructor(dependencies: TopicConsumerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the status of each partition number, merged over all generations that have it. */
  async status(): Promise<PartitionStatus[]> {
    const statuses = await Promise.all(this.#readers.map(({ consumer }) => consumer.status()));
    return [...Map.groupBy(statuses.flat(), ({ partition }) => partition).values()].map(merged);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal.notify();
    await this.#watching;
    await Promise.all(this.#readers.map(({ consumer }) => consumer.stop()));
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      await this.#signal.wait(POLL_INTERVAL_MS);
      this.#signal.reset();
      try {
        while (!this.#stopping && (await this.#beginNext()));
      } catch (error) {
        const { group, topic } = this.#dependencies.subscription;
        this.#dependencies.logger.warn({ err: error, group, topic }, 'KafkaGenerationNotBegun');
      }
    }
  }

  /** Begins the next generation if there is one and the group has finished the present one. */
  async #beginNext(): Promise<boolean> {
    const { generations, subscription } = this.#dependencies;
    const newest = this.#readers.at(-1);
    const next = generations.of(subscription.topic).find(({ number }) => number > (newest?.generation ?? 0));
    if (next === undefined || (newest !== undefined && !(await newest.offsets.areClosed()))) return false;
    await this.#begin(next);
    return true;
  }

  async #begin({ number: generation }: Generation): Promise<void> {
    const { memory, administrator, generations, options, subscription, logger, halts } = this.#dependencies;
    const { group, topic } = subscription;
    const isSuperseded = () => generations.isSuperseded(topic, generation);
    const name = { prefix: options.prefix, group, topic, generation, isSuperseded };
    const offsets = new GroupOffsets(administrator, name);
    const consumer = await KafkaConsumer.start({
      memory,
      options,
      subscription,
      generation,
      offsets,
      logger,
      behind: this.#behind(),
      onClosing: () => void this.#refreshGenerations(),
      halts,
    });
    this.#readers.push({ generation, offsets, consumer });
  }

  async #refreshGenerations(): Promise<void> {
    try {
      await this.#dependencies.generations.refresh();
    } catch {
      // The next periodic check retries.
    }
    this.#signal.notify();
  }

  /**
   * Returns the handler for records behind a marker. The group that handles the topic forwards them to the open
   * generation under the same key. Other groups read them there.
   */
  #behind(): PartitionHandler {
    const { subscription, append, logger } = this.#dependencies;
    const { group, topic } = subscription;
    const forwards = handlingGroupOf(topic) === group;
    return {
      handle: async (records) => {
        if (!forwards) return after(records);
        try {
          await append(records.map(({ key, value }) => ({ topic, key, value })));
          return after(records);
        } catch (error) {
          logger.warn({ err: error, topic, records: records.length }, 'KafkaForwardingFailed');
          return { nextOffset: records[0]?.offset ?? 0, pauseMs: FORWARD_PAUSE_MS };
        }
      },
      idle: async () => 'done',
      close: async () => undefined,
    };
  }
}

function after(records: readonly LogRecord[]): Progress {
  return { nextOffset: (records.at(-1)?.offset ?? -1) + 1, pauseMs: 0 };
}

function merged(statuses: readonly PartitionStatus[]): PartitionStatus {
  const [first] = statuses;
  if (first === undefined) throw new Error('merging the status of no partition');
  return {
    ...first,
    records: statuses.reduce((sum, { records }) => sum + records, 0),
    lag: statuses.reduce((sum, { lag }) => sum + lag, 0),
    halted: statuses.find(({ halted }) => halted !== null)?.halted ?? null,
  };
}
