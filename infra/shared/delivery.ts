import type { LogRecord, Progress } from '../../topics/ports/log.ts';

/** How long nothing must have arrived before a handler that has worked is told so. */
export const IDLE_AFTER_MS = 100;

/** The longest pause between two deliveries, whatever the handler asks for. */
export const PAUSE_MS_MAX = 10 * 60 * 1_000;

/** A partition that stands still until the process is restarted: an alarm. */
export interface Halt {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly reason: string;
  /** What was thrown, for the log. */
  readonly error: unknown;
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
