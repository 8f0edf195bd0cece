import type { LogRecord, Progress } from '../../../topics/ports/log.ts';

/** How long nothing must have arrived before a handler that has worked is told so. */
export const IDLE_AFTER_MS = 100;

/** The longest pause between two deliveries, whatever the handler asks for. */
export const PAUSE_MS_MAX = 10 * 60 * 1_000;

/** How long a halted partition stands still before it tries its records again. */
export const HALTED_PAUSE_MS = 5_000;

/** One partition as a group consumes it. */
export interface ConsumedPartition {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** A partition that stands still: an alarm. */
export interface Halt extends ConsumedPartition {
  readonly reason: string;
  /** What was thrown, for the log. */
  readonly error: unknown;
}

/** What is told of partitions that stand still. */
export interface HaltListener {
  /** The alarm of design rule 13, once for each reason. `status()` of the consumer says the same. */
  onHalt(halt: Halt): void;
  /** A halted partition goes on. */
  onResume(partition: ConsumedPartition): void;
}

/**
 * How many records a delivery may hold. After a throw it is halved, down to the one record that the handler cannot take: the
 * records before it are handled, and the partition halts exactly there.
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

  /** Called when records were handled. */
  grow(): void {
    this.#records = Math.min(this.#most, this.#records * 2);
  }

  /** Called when the handler threw at `count` records. False: there is no smaller delivery to try. */
  shrink(count: number): boolean {
    if (count <= 1) return false;
    this.#records = Math.ceil(count / 2);
    return true;
  }
}

/** Why a partition stands still, in the words of what was thrown. */
export function haltReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Refuses progress that no handler can have made with the records it was given, the first of them at `offset`.
 *
 * @throws {Error} when the next offset is not whole, or lies outside what was delivered.
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
