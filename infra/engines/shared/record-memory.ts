import type { LogRecord } from '../../../topics/ports/log.ts';

/** Bytes of records that all partitions of the process hold together, beside what each of them may always hold. */
const RECORDS_TOGETHER_BYTES_MAX = 256 * 1_024 * 1_024;

/** What a partition may always hold, whatever the others hold: several commits. A single record may have more. */
export const SURE_BYTES_A_PARTITION = 1_024 * 1_024;

/** What one partition holds before it is fetched no further, where so much is free. */
const PARTITION_BYTES_MAX = 48 * 1_024 * 1_024;

/** What is left of that when it is fetched again. */
const LOW_PART = 2 / 3;

/**
 * What a record takes beside the characters of its texts: the object, the heads of its strings, and its places in arrays. V8
 * takes 120 to 150 bytes, measured as the growth of the heap.
 */
const RECORD_BYTES = 192;

/** V8 holds a text of ASCII in one byte a character, and in two if one character needs them. */
const ASCII_BYTES = 1;
const CHARACTER_BYTES = 2;

/**
 * The memory of the records that a process has read from the log and not yet handled: one budget for all partitions of all
 * consumers. A partition may hold as much as is still free. So one that is far behind alone holds all that it can use, and many
 * of them come to equal shares; none waits for another, not even for one that stands still with all that it holds.
 */
export class RecordMemory {
  readonly #most: number;
  #held = 0;

  /** @param most bytes of all partitions together; each of them may exceed it by {@link SURE_BYTES_A_PARTITION} or one record */
  constructor(most = RECORDS_TOGETHER_BYTES_MAX) {
    this.#most = most;
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** Bytes that are left for everybody. */
  get free(): number {
    return Math.max(0, this.#most - this.#held);
  }

  /** The share of one partition, empty at first. */
  share(): RecordShare {
    return new RecordShare(this);
  }

  /** Counts bytes that a share holds from now on; negative: no longer. For {@link RecordShare} only. */
  change(bytes: number): void {
    this.#held += bytes;
  }
}

/** What one partition holds of the memory of its process. */
export class RecordShare {
  readonly #memory: RecordMemory;
  #bytes = 0;

  constructor(memory: RecordMemory) {
    this.#memory = memory;
  }

  /** Whether the partition should read no further. */
  isFull(): boolean {
    return this.#bytes >= Math.max(SURE_BYTES_A_PARTITION, this.#allowed());
  }

  /** Whether so little is left that it should read on. It always should when nothing is left. */
  isLow(): boolean {
    return this.#bytes === 0 || this.#bytes < LOW_PART * this.#allowed();
  }

  /**
   * Counts a record that the partition wants to hold; false if there is no room for it. There always is for the first one.
   *
   * @param bytes of the record, by {@link recordBytes}
   */
  take(bytes: number): boolean {
    const isSure = this.#bytes === 0 || this.#bytes + bytes <= SURE_BYTES_A_PARTITION;
    if (!isSure && bytes > this.#memory.free) return false;
    this.#change(bytes);
    return true;
  }

  /** Returns the bytes of records that were taken and are held no longer. */
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
 * Memory that a record takes at most, in bytes.
 *
 * @param encodedBytes of key and value in UTF-8, where they are known. As many as there are characters means ASCII, which takes
 * half of what other texts may take.
 */
export function recordBytes({ key, value }: Pick<LogRecord, 'key' | 'value'>, encodedBytes?: number): number {
  const characters = key.length + value.length;
  return RECORD_BYTES + characters * (encodedBytes === characters ? ASCII_BYTES : CHARACTER_BYTES);
}
