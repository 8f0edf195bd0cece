import type { Clock } from '../../../topics/ports/clock.ts';
import type { Consumer, Log, NewRecord, Subscription } from '../../../topics/ports/log.ts';
import type { HaltListener } from '../shared/delivery.ts';
import { RecordMemory } from '../shared/record-memory.ts';
import { Accumulator, type SizedRecord } from './accumulator.ts';
import { Administrator } from './administrator.ts';
import { ClockProbe } from './clock-probe.ts';
import { Generations } from './generations.ts';
import { LogClock } from './log-clock.ts';
import type { KafkaLogger, KafkaOptions } from './options.ts';
import { KafkaProducer } from './producer.ts';
import { TopicConsumer } from './topic-consumer.ts';
import { RECORD_BYTES_MAX } from './topic-settings.ts';
import { ensureTopics } from './topics.ts';

export interface KafkaLogDependencies {
  readonly options: KafkaOptions;
  readonly logger: KafkaLogger;
  readonly clock: Clock;
  /** Told of partitions that stand still. */
  readonly halts: HaltListener;
  /** Where records that were read and not yet handled are held: the usual memory of a process unless told otherwise. */
  readonly memory?: RecordMemory;
}

/**
 * Opens the event log on a Kafka cluster, and makes the topics that are missing.
 *
 * @throws {EngineUnavailableError} when the cluster does not answer.
 * @throws {Error} when a topic is there that does not fit the catalogue.
 */
export async function openKafkaLog(dependencies: KafkaLogDependencies): Promise<KafkaLog> {
  const log = new KafkaLog(dependencies);
  try {
    await log.open();
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/**
 * The event log on Kafka. An append is acknowledged by as many replicas as the topic demands. Partitions are computed
 * here (design rule 14), and every record has a key. The members of a group share the partitions of a topic.
 *
 * While the cluster is not reachable, appends are rejected within {@link SEND_TIMEOUT_MS}, consumers pause, and both go on
 * by themselves afterwards.
 */
export class KafkaLog implements Log {
  readonly #dependencies: KafkaLogDependencies;
  readonly #administrator: Administrator;
  readonly #generations: Generations;
  readonly #producer: KafkaProducer;
  readonly #accumulator: Accumulator;
  readonly #probe: ClockProbe;
  readonly #memory: RecordMemory;
  readonly #consumers = new Set<Consumer>();
  /** The log's time, and how far the own one is from it. */
  readonly clock: LogClock;

  constructor(dependencies: KafkaLogDependencies) {
    this.#dependencies = dependencies;
    this.#memory = dependencies.memory ?? new RecordMemory();
    this.#administrator = new Administrator(dependencies.options, dependencies.logger);
    this.#generations = new Generations(this.#administrator, dependencies.options);
    this.clock = new LogClock(dependencies.clock);
    this.#producer = new KafkaProducer(
      dependencies.options,
      dependencies.logger,
      this.#generations,
      this.clock,
    );
    this.#probe = new ClockProbe(this.#producer, dependencies.options);
    this.#accumulator = new Accumulator((records) => this.#producer.send(records));
  }

  async open(): Promise<void> {
    await ensureTopics(this.#administrator, this.#dependencies.options, this.#generations);
    await this.#producer.connect();
    await this.#probe.start(this.#administrator, this.#dependencies.options);
    this.#generations.watch();
  }

  /** @throws {RangeError} when a record is larger than any can be; nothing of the call is appended then. */
  async append(records: readonly NewRecord[]): Promise<void> {
    await this.#accumulator.append(records.map(sized));
  }

  async consume(subscription: Subscription): Promise<Consumer> {
    const consumer = await TopicConsumer.start({
      ...this.#dependencies,
      memory: this.#memory,
      subscription,
      administrator: this.#administrator,
      generations: this.#generations,
      append: (records) => this.append(records),
    });
    const stop = async (): Promise<void> => {
      await consumer.stop();
      this.#consumers.delete(kept);
    };
    const kept: Consumer = { status: () => consumer.status(), stop };
    this.#consumers.add(kept);
    return kept;
  }

  /** Stops every consumer and sends what waits. */
  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    await this.#accumulator.drain();
    await this.#probe.close();
    await this.#producer.close();
    await this.#generations.close();
    await this.#administrator.close();
  }
}

function sized(record: NewRecord): SizedRecord {
  const bytes = Buffer.byteLength(record.key) + Buffer.byteLength(record.value);
  if (bytes > RECORD_BYTES_MAX) {
    throw new RangeError(`appending a record of ${bytes} bytes; ${RECORD_BYTES_MAX} are the most`);
  }
  return { ...record, bytes };
}
