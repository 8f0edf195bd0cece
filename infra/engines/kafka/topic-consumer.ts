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

/** How often a consumer looks whether its group has closed the newest generation that it reads. */
const LOOK_EVERY_MS = 1_000;

/** The pause before records behind a marker are sent again. */
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
 * Consumes a topic for one subscription, generation after generation (design rule 14). The next one is begun when the
 * group has handled all of the one before, in every partition, whoever owns it: so the order of every key holds, however
 * the keys are spread anew. Older generations are read on, for what a writer might bring behind their markers.
 */
export class TopicConsumer implements Consumer {
  readonly #dependencies: TopicConsumerDependencies;
  readonly #readers: Reader[] = [];
  readonly #signal = new Signal();
  #stopping = false;
  #watching: Promise<void> = Promise.resolve();

  /**
   * Joins the groups of every generation that is due, and resolves when it is known where their partitions go on.
   *
   * @throws {EngineUnavailableError} when that takes too long.
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

  /** A partition number stands for those of all generations that have it. */
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
      await this.#signal.wait(LOOK_EVERY_MS);
      this.#signal.reset();
      try {
        while (!this.#stopping && (await this.#beginNext()));
      } catch (error) {
        const { group, topic } = this.#dependencies.subscription;
        this.#dependencies.logger.warn({ err: error, group, topic }, 'KafkaGenerationNotBegun');
      }
    }
  }

  /** Begins the next generation if there is one and its turn has come. */
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
    const isFollowed = () => generations.isFollowed(topic, generation);
    const name = { prefix: options.prefix, group, topic, generation, isFollowed };
    const offsets = new GroupOffsets(administrator, name);
    const consumer = await KafkaConsumer.start({
      memory,
      options,
      subscription,
      generation,
      offsets,
      logger,
      behind: this.#behind(),
      onClosing: () => void this.#hearOfNext(),
      halts,
    });
    this.#readers.push({ generation, offsets, consumer });
  }

  async #hearOfNext(): Promise<void> {
    try {
      await this.#dependencies.generations.refresh();
    } catch {
      // It looks around by itself from time to time.
    }
    this.#signal.notify();
  }

  /**
   * What comes behind a marker goes to the open generation under the same key. The group that handles the topic brings it
   * there, and the others meet it there.
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
    lag: statuses.reduce((sum, { lag }) => sum + lag, 0),
    halted: statuses.find(({ halted }) => halted !== null)?.halted ?? null,
  };
}
