import type { LogRecord } from '../../../topics/ports/log.ts';

/** Bytes of records that all partitions of the process buffer together, besides the reserved part of each. */
export const RECORDS_TOGETHER_BYTES_MAX = 256 * 1_024 * 1_024;

/**
 * Bytes that each partition may always buffer, whatever the others use: several commits. A single record may be
 * larger.
 */
export const GUARANTEED_BYTES_A_PARTITION = 1_024 * 1_024;

/** Bytes that one partition buffers before it stops fetching, if that much memory is free. */
const PARTITION_BYTES_MAX = 48 * 1_024 * 1_024;

/** The share of its bound below which a partition fetches again. */
const LOW_PART = 2 / 3;

/**
 * Bytes of a record besides the characters of its strings: the object, the string headers and its places in arrays.
 * V8 takes 120 to 150 bytes, measured as the growth of the heap.
 */
const RECORD_BYTES = 192;

/** V8 stores an ASCII string with one byte a character, and any other string with two. */
const ASCII_BYTES = 1;
const CHARACTER_BYTES = 2;

/**
 * The memory of the records that a process has read from the log and not yet handled: one budget for all partitions
 * of all consumers.
 *
 * A partition may use as much as is still free. So a single partition with a backlog fills its whole buffer, and
 * several converge to equal shares. No partition waits for another one, not even for a halted one with a full buffer.
 */
export class RecordMemory {
  readonly #most: number;
  #held = 0;

  /**
   * @param most bytes of all partitions together; each partition may exceed it by {@link GUARANTEED_BYTES_A_PARTITION} or
   * one record
   */
  constructor(most = RECORDS_TOGETHER_BYTES_MAX) {
    this.#most = most;
  }

  /** Bytes in use. */
  get held(): number {
    return this.#held;
  }

  /** Bytes that any partition may still take. */
  get free(): number {
    return Math.max(0, this.#most - this.#held);
  }

  /** Returns a new, empty share for one partition. */
  share(): RecordShare {
    return new RecordShare(this);
  }

  /** Adds bytes to the total; a negative number subtracts. For {@link RecordShare} only. */
  change(bytes: number): void {
    this.#held += bytes;
  }
}

/** The part of the memory that one partition uses. */
export class RecordShare {
  readonly #memory: RecordMemory;
  #bytes = 0;

  constructor(memory: RecordMemory) {
    this.#memory = memory;
  }

  /** True if the partition has to stop fetching. */
  isFull(): boolean {
    return this.#bytes >= Math.max(GUARANTEED_BYTES_A_PARTITION, this.#allowed());
  }

  /** True if the partition has to fetch again. An empty share is always low. */
  isLow(): boolean {
    return this.#bytes === 0 || this.#bytes < LOW_PART * this.#allowed();
  }

  /**
   * Counts a record if there is memory for it, and returns true if so. An empty share takes any record.
   *
   * @param bytes of the record, by {@link recordBytes}
   */
  take(bytes: number): boolean {
    const isGuaranteed = this.#bytes === 0 || this.#bytes + bytes <= GUARANTEED_BYTES_A_PARTITION;
    if (!isGuaranteed && bytes > this.#memory.free) return false;
    this.#change(bytes);
    return true;
  }

  /** Subtracts the bytes of records that the partition no longer buffers. */
  giveBack(bytes: number): void {
    this.#change(-bytes);
  }

  giveAllBack(): void {
    this.#change(-this.#bytes);
  }

  #allowed(): number {
    return Math.min(PARTITION_BYTES_MAX, this.#memory.free);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.change(bytes);
  }
}

/**
 * Returns the most bytes of memory that a record takes.
 *
 * @param encodedBytes of key and value in UTF-8, if they are known. A length equal to the number of characters means
 * ASCII, which takes half the memory of other texts.
 */
export function recordBytes({ key, value }: Pick<LogRecord, 'key' | 'value'>, encodedBytes?: number): number {
  const characters = key.length + value.length;
  return RECORD_BYTES + characters * (encodedBytes === characters ? ASCII_BYTES : CHARACTER_BYTES);
}
