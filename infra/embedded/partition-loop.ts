import type { LogRecord, PartitionHandler, PartitionStatus, Subscription } from '../../topics/ports/log.ts';
import { Bell } from '../shared/bell.ts';
import { type Halt, haltReason, IDLE_AFTER_MS, PAUSE_MS_MAX, requireProgress } from '../shared/delivery.ts';
import { reading } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { LogPartition, LogTables } from './log-tables.ts';

export interface PartitionLoopParts {
  readonly tables: LogTables;
  readonly writer: GroupCommit;
  readonly subscription: Subscription;
  readonly partition: LogPartition;
  readonly onHalt: (halt: Halt) => void;
}

/** Delivers one partition to one handler of one group, one batch after the other. */
export class PartitionLoop {
  /** Rung when something was appended to the partition. */
  readonly arrivals = new Bell();
  readonly #parts: PartitionLoopParts;
  readonly #stop = new Bell();
  #stopping = false;
  #current = true;
  #halted: string | null = null;
  readonly #ended: Promise<void>;

  constructor(parts: PartitionLoopParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  status(): PartitionStatus {
    const { tables, partition, subscription } = this.#parts;
    const lag = reading('log', () => tables.end(partition) - tables.committed(partition, subscription.group));
    return { topic: partition.topic, partition: partition.partition, lag, halted: this.#halted };
  }

  /** Lets a running `handle` finish and be committed, then closes the handler. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stop.ring();
    this.arrivals.ring();
    await this.#ended;
  }

  async #run(): Promise<void> {
    let handler: PartitionHandler | null = null;
    try {
      handler = this.#open();
      await this.#deliver(handler);
    } catch (error) {
      this.#halt(error);
      await this.#stop.wait(null);
    }
    try {
      await handler?.close();
    } catch (error) {
      this.#halt(error);
    }
    this.#current = false;
  }

  #open(): PartitionHandler {
    const { tables, subscription, partition } = this.#parts;
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
    const { tables, subscription, partition } = this.#parts;
    let offset = tables.committed(partition, subscription.group);
    let idleAfterMs: number | null = null;
    let committing = Promise.resolve();
    while (!this.#stopping) {
      this.arrivals.reset();
      const records = this.#recordsFrom(offset);
      if (records.length > 0) {
        const progress = await handler.handle(records);
        requireProgress(progress, offset, records);
        await committing;
        if (progress.nextOffset > offset) committing = this.#commit(progress.nextOffset);
        offset = progress.nextOffset;
        idleAfterMs = IDLE_AFTER_MS;
        if (progress.pauseMs > 0) await this.#stop.wait(Math.min(progress.pauseMs, PAUSE_MS_MAX));
      } else if (!(await this.arrivals.wait(idleAfterMs))) {
        await committing;
        idleAfterMs = (await handler.idle()) === 'more' ? 0 : null;
      }
    }
    await committing;
  }

  /** The records to deliver next, without a gap; design rule 13 wants an offset outside the log to halt. */
  #recordsFrom(offset: number): readonly LogRecord[] {
    const { tables, subscription, partition } = this.#parts;
    const { records, end } = tables.slice(partition, offset, subscription.batchRecordsMax);
    if (offset > end) throw new Error(`reading offset ${offset} of a partition that ends at ${end}`);
    if (offset < end && records[0]?.offset !== offset) {
      throw new Error(`reading offset ${offset} of a partition that no longer has it`);
    }
    return records;
  }

  /**
   * Commits an offset beside what is handled next: what a crash takes of it is delivered again, which handlers count on.
   * The promise is awaited later, and must not count as a rejection that nobody handles until then.
   */
  #commit(nextOffset: number): Promise<void> {
    const { tables, writer, subscription, partition } = this.#parts;
    const committing = writer.runPatiently(() => tables.commit(partition, subscription.group, nextOffset));
    committing.catch(() => {});
    return committing;
  }

  #halt(error: unknown): void {
    const { subscription, partition } = this.#parts;
    const reason = haltReason(error);
    this.#halted = reason;
    this.#parts.onHalt({
      group: subscription.group,
      topic: partition.topic,
      partition: partition.partition,
      reason,
      error,
    });
  }
}
