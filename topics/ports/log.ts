import type { TopicName } from '../catalogue.ts';

/** A place in one partition: the topic's generation (1, 2, …) and the offset within it. */
export interface Position {
  readonly generation: number;
  readonly offset: number;
}

/** Orders two positions of one partition: negative, zero or positive like every comparison. */
export function comparePositions(left: Position, right: Position): number {
  return left.generation - right.generation || left.offset - right.offset;
}

export interface NewRecord {
  readonly topic: TopicName;
  /** The aggregate's id. Records of one key are kept and consumed in the order of their appends. */
  readonly key: string;
  readonly value: string;
}

export interface LogRecord extends NewRecord, Position {
  readonly partition: number;
  /**
   * Unix milliseconds by the log's clock at the append, not the writer's. Earlier than the stamp of the record before it
   * where that clock was set back.
   */
  readonly appendedAt: number;
}

/** One partition while this process owns it. A new assignment is a new object. */
export interface PartitionAssignment {
  readonly topic: TopicName;
  readonly generation: number;
  readonly partition: number;
  /** False once the partition has been taken away; what is then still under way must not be committed. */
  isCurrent(): boolean;
  /**
   * False from when the partition is to be given back, or was taken away: a handler then returns its progress. Work that it
   * has begun still counts, as long as the assignment is current.
   */
  mayBegin(): boolean;
  /**
   * True if this offset was ever appended. Reads the end of the log before it returns false, because another owner may have
   * folded records that were never delivered here. Rejects with `EngineUnavailableError` while the log does not answer.
   */
  hasAppended(offset: number): Promise<boolean>;
}

/** The progress of a handler. */
export interface Progress {
  /** Everything below is done for good; the next delivery starts here. */
  readonly nextOffset: number;
  /** Milliseconds to wait before that delivery; 0 for none. Other partitions continue meanwhile. */
  readonly pauseMs: number;
}

/** Says if a handler has work left that can wait. */
export type IdleProgress = 'done' | 'more';

/** Handles one assignment of one partition. The log never calls two of its methods at once. */
export interface PartitionHandler {
  /**
   * Handles records in offset order. An error halts the partition at the one record that cannot be handled, and
   * raises the alarm. The log tries that record again from time to time, with a new handler; after a `LostRecordsError` only
   * when the process is restarted. A handler that can continue by itself returns a {@link Progress} instead.
   */
  handle(records: readonly LogRecord[]): Promise<Progress>;
  /**
   * Called when nothing has arrived for a while, for one short piece of work that can wait. `more`: pieces are left, and it
   * is called again unless a record has arrived or the partition is to be given back.
   */
  idle(): Promise<IdleProgress>;
  /** Called once, after the last `handle`, when the assignment ends. */
  close(): Promise<void>;
}

export interface Subscription {
  /** Consumers of one group share the partitions; each group sees every record. */
  readonly group: string;
  readonly topic: TopicName;
  readonly batchRecordsMax: number;
  open(assignment: PartitionAssignment): PartitionHandler;
}

export interface PartitionStatus {
  readonly topic: TopicName;
  readonly partition: number;
  /** Records that were ever appended. */
  readonly records: number;
  /** Records appended and not yet handled by this group. */
  readonly lag: number;
  /** Why the partition stands still just now, or null. */
  readonly halted: string | null;
}

export interface Consumer {
  status(): Promise<PartitionStatus[]>;
  /** Lets running handlers finish, commits what they did, closes them and gives the partitions back. */
  stop(): Promise<void>;
}

/**
 * The event log: keyed, partitioned, durable, with delivery at least once.
 *
 * - `append` resolves once the records are durable. If it rejects, any of them may be in the log, now or later.
 * - A subscription starts at the first record that its group has not committed; a new group starts at the beginning.
 * - After a crash, records that were handled and not committed are delivered again.
 * - A committed offset outside the log halts the partition
 *   (infra/docs/decisions/0007-halting-at-a-record-far-ahead.md) instead of resetting it.
 */
export interface Log {
  append(records: readonly NewRecord[]): Promise<void>;
  consume(subscription: Subscription): Promise<Consumer>;
}
