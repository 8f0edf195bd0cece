import type { LogRecord, Progress } from '../../../topics/ports/log.ts';

/** Milliseconds without a new record after which a handler that has worked is told that the partition is idle. */
export const IDLE_AFTER_MS = 100;

/** Longest pause between two deliveries, even if the handler asks for a longer one. */
export const PAUSE_MS_MAX = 10 * 60 * 1_000;

/** Pause of a halted partition before it retries its records. */
export const HALTED_PAUSE_MS = 5_000;

export interface ConsumedPartition {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** A halted partition. Raises an alarm. */
export interface Halt extends ConsumedPartition {
  readonly reason: string;
  /** The error that halted the partition, for the log. */
  readonly error: unknown;
}

/** Receives the halts and resumptions of partitions. */
export interface HaltListener {
  /**
   * Called once for each reason (infra/docs/decisions/0007-halting-at-a-record-far-ahead.md). `status()` of the
   * consumer reports the same.
   */
  onHalt(halt: Halt): void;
  /** Called when a halted partition resumes. */
  onResume(partition: ConsumedPartition): void;
}

/**
 * The number of records that a delivery may contain. Each throw halves it, down to the one record that the handler
 * cannot process. The records before that one are handled, and the partition halts exactly there.
 */
export class DeliverySize {
  readonly #most: number;
  #records: number;

  constructor(most: number) {
    this.#most = most;
    this.#records = most;
  }

  get records(): number {
    return this.#records;
  }

  /** Doubles the size after a delivery was handled. */
  grow(): void {
    this.#records = Math.min(this.#most, this.#records * 2);
  }

  /**
   * Halves the size after the handler threw at `count` records. Returns false if there is no smaller delivery to try.
   */
  shrink(count: number): boolean {
    if (count <= 1) return false;
    this.#records = Math.ceil(count / 2);
    return true;
  }
}

/** Returns the reason of a halt: the message of the error. */
export function haltReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Rejects progress that a handler cannot have made with the records of its delivery, the first of them at `offset`.
 *
 * @throws {Error} if the next offset is not a whole number, or lies outside the delivered records.
 */
export function requireProgress(
  { nextOffset }: Progress,
  offset: number,
  records: readonly LogRecord[],
): void {
  const end = (records.at(-1)?.offset ?? offset - 1) + 1;
  if (!Number.isSafeInteger(nextOffset) || nextOffset < offset || nextOffset > end) {
    throw new Error(`committing offset ${nextOffset} after ${records.length} records from ${offset} on`);
  }
}
