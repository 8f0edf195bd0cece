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
  /** Receives halts and resumptions of partitions. */
  readonly halts: HaltListener;
  /** The memory of records that were read and not yet handled; a separate one of the usual size by default. */
  readonly memory?: RecordMemory;
}

/**
 * Opens the event log on a Kafka cluster, and creates missing topics.
 *
 * @throws {EngineUnavailableError} if the cluster does not answer
 * @throws {Error} if an existing topic does not match the catalogue
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
 * The event log on Kafka. An append is acknowledged by as many replicas as the topic requires. The producer computes
 * the partition of each record from its key (infra/docs/decisions/0003-partitions-and-generations.md). The members of
 * a group share the partitions of a topic.
 *
 * While the cluster is unreachable, appends are rejected within {@link SEND_TIMEOUT_MS} and consumers pause. Both
 * recover by themselves.
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
  /** The log's time and its difference from the process's own. */
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

  /** @throws {RangeError} if a record exceeds {@link RECORD_BYTES_MAX}; no record of the call is appended then */
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

  /** Stops every consumer and sends the queued records. */
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
