import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type {
  LogRecord,
  PartitionHandler,
  PartitionStatus,
  Subscription,
} from '../../../topics/ports/log.ts';
import {
  type ConsumedPartition,
  DeliverySize,
  HALTED_PAUSE_MS,
  type HaltListener,
  haltReason,
  IDLE_AFTER_MS,
  PAUSE_MS_MAX,
  requireProgress,
} from '../shared/delivery.ts';
import type { RecordMemory, RecordShare } from '../shared/record-memory.ts';
import { Signal } from '../shared/signal.ts';
import { reading } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { LogPartition, LogTables } from './log-tables.ts';
import { OffsetCommitter } from './offset-committer.ts';

export interface PartitionLoopDependencies extends HaltListener {
  readonly tables: LogTables;
  readonly writer: GroupCommit;
  readonly memory: RecordMemory;
  readonly subscription: Subscription;
  readonly partition: LogPartition;
}

/** Pause after the database could not be read. */
const READ_RETRY_MS = 500;

/** Delivers one partition to one handler of one group, one batch after the other. */
export class PartitionLoop {
  /** Notified when a record was appended to the partition. */
  readonly arrivals = new Signal();
  readonly #dependencies: PartitionLoopDependencies;
  readonly #stop = new Signal();
  readonly #offsets: OffsetCommitter;
  readonly #size: DeliverySize;
  /** The memory of the records of one delivery. */
  readonly #share: RecordShare;
  #stopping = false;
  #current = true;
  #halted: string | null = null;
  /** The number of records in the running delivery, or 0. */
  #handling = 0;
  /** The next offset to deliver, or null until it was read. */
  #position: number | null = null;
  readonly #ended: Promise<void>;

  constructor(dependencies: PartitionLoopDependencies) {
    this.#dependencies = dependencies;
    const { tables, writer, subscription, partition } = dependencies;
    this.#share = dependencies.memory.share();
    this.#size = new DeliverySize(subscription.batchRecordsMax);
    this.#offsets = new OffsetCommitter((nextOffset) =>
      writer.runDeferred(() => tables.commit(partition, subscription.group, nextOffset)),
    );
    this.#ended = this.#run();
  }

  status(): PartitionStatus {
    const { tables, partition, subscription } = this.#dependencies;
    const records = reading('log', () => tables.end(partition));
    const lag = records - reading('log', () => tables.committed(partition, subscription.group));
    return { topic: partition.topic, partition: partition.partition, records, lag, halted: this.#halted };
  }

  /** Waits for a running `handle` and its commit, then closes the handler. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stop.notify();
    this.arrivals.notify();
    await this.#ended;
  }

  /** Delivers until it is stopped. After a throw it continues with a new handler. */
  async #run(): Promise<void> {
    while (!this.#stopping) {
      const pauseMs = await this.#deliverToOne();
      if (pauseMs !== 0) await this.#stop.wait(pauseMs);
    }
    await this.#offsets.close();
    this.#current = false;
  }

  /**
   * Delivers to one handler until it is stopped or throws. Returns the pause before the next one in milliseconds;
   * null for ever.
   */
  async #deliverToOne(): Promise<number | null> {
    let handler: PartitionHandler | null = null;
    let pauseMs: number | null = 0;
    try {
      handler = this.#open();
      await this.#deliver(handler);
    } catch (error) {
      this.#share.giveAllBack();
      pauseMs = this.#pauseAfter(error);
    }
    try {
      await handler?.close();
    } catch (error) {
      pauseMs = this.#pauseAfter(error);
    }
    return pauseMs;
  }

  /**
   * Returns the pause after an error. An unreadable database says nothing about the partition; any other error halts
   * it.
   */
  #pauseAfter(error: unknown): number | null {
    if (error instanceof EngineUnavailableError) return READ_RETRY_MS;
    const isLasting = error instanceof LostRecordsError;
    if (!isLasting && this.#size.shrink(this.#handling)) return 0;
    this.#halt(error);
    return isLasting ? null : HALTED_PAUSE_MS;
  }

  #open(): PartitionHandler {
    const { tables, subscription, partition } = this.#dependencies;
    return subscription.open({
      topic: partition.topic,
      generation: partition.generation,
      partition: partition.partition,
      isCurrent: () => this.#current,
      mayBegin: () => !this.#stopping && this.#current,
      hasAppended: async (offset) => offset < reading('log', () => tables.end(partition)),
    });
  }

  async #deliver(handler: PartitionHandler): Promise<void> {
    let idleAfterMs: number | null = null;
    while (!this.#stopping) {
      this.arrivals.reset();
      const records = this.#nextRecords();
      if (records.length > 0) {
        const pauseMs = await this.#handle(handler, records);
        idleAfterMs = IDLE_AFTER_MS;
        if (pauseMs > 0) await this.#stop.wait(Math.min(pauseMs, PAUSE_MS_MAX));
      } else if (!(await this.arrivals.wait(idleAfterMs))) {
        idleAfterMs = (await handler.idle()) === 'more' ? 0 : null;
        this.#resume();
      }
    }
  }

  /** Returns the pause that the handler requests, in milliseconds. */
  async #handle(handler: PartitionHandler, records: readonly LogRecord[]): Promise<number> {
    const first = records[0]?.offset ?? 0;
    this.#handling = records.length;
    const progress = await handler.handle(records);
    requireProgress(progress, first, records);
    this.#share.giveAllBack();
    this.#handling = 0;
    const { nextOffset, pauseMs } = progress;
    if (nextOffset > first) {
      this.#position = nextOffset;
      this.#offsets.mark(nextOffset);
      this.#size.grow();
      this.#resume();
    }
    return pauseMs;
  }

  /**
   * Returns the next records, without a gap. An offset outside the log halts the partition
   * (infra/docs/decisions/0007-halting-at-a-record-far-ahead.md).
   */
  #nextRecords(): readonly LogRecord[] {
    const { tables, subscription, partition } = this.#dependencies;
    const offset = reading('log', () => this.#position ?? tables.committed(partition, subscription.group));
    this.#position = offset;
    const { records, end } = reading('log', () =>
      tables.slice(partition, offset, this.#size.records, this.#share),
    );
    if (offset > end)
      throw new LostRecordsError(`reading offset ${offset} of a partition that ends at ${end}`);
    if (offset < end && records[0]?.offset !== offset) {
      throw new LostRecordsError(`reading offset ${offset} of a partition that no longer has it`);
    }
    return records;
  }

  /** Raises the alarm, once for each reason. */
  #halt(error: unknown): void {
    const reason = haltReason(error);
    if (this.#halted === reason) return;
    this.#halted = reason;
    this.#dependencies.onHalt({ ...this.#name(), reason, error });
  }

  #resume(): void {
    if (this.#halted === null) return;
    this.#halted = null;
    this.#dependencies.onResume(this.#name());
  }

  #name(): ConsumedPartition {
    const { subscription, partition } = this.#dependencies;
    return { group: subscription.group, topic: partition.topic, partition: partition.partition };
  }
}
