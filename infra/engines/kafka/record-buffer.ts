import type { LogRecord } from '../../../topics/ports/log.ts';
import { type RecordShare, recordBytes } from '../shared/record-memory.ts';

/** Characters of values in one delivery, unless a single record has more. */
const DELIVERY_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * Deliveries that a partition buffers before it stops fetching, besides its share of the memory; one fetch may exceed
 * them. Fetching resumes at the lower bounds. The rest then has to last while a fetch for other partitions waits.
 */
const DELIVERIES = { full: 2, low: 1 } as const;
const RECORDS = { full: 2_000, low: 1_000 } as const;

/** Fetched and not yet handled records, in the order of their offsets, within bounds. */
export class RecordBuffer {
  readonly #deliveryRecordsMax: number;
  readonly #share: RecordShare;
  #records: LogRecord[] = [];
  /** The bytes with which each record was counted. */
  #sizes: number[] = [];
  /** Every record before this index is done. The array is cut when they are its larger part. */
  #head = 0;

  constructor(deliveryRecordsMax: number, share: RecordShare) {
    this.#deliveryRecordsMax = deliveryRecordsMax;
    this.#share = share;
  }

  isEmpty(): boolean {
    return this.#size() === 0;
  }

  /** True if the partition has to stop fetching. */
  isFull(): boolean {
    return this.#size() >= this.#bound('full') || this.#share.isFull();
  }

  /** True if the partition has to fetch again. */
  isLow(): boolean {
    return this.#size() < this.#bound('low') && this.#share.isLow();
  }

  /**
   * Adds a record, or returns false if the process has no memory for it. An empty buffer takes any record.
   *
   * @param encodedBytes of key and value in UTF-8
   */
  take(record: LogRecord, encodedBytes: number): boolean {
    const bytes = recordBytes(record, encodedBytes);
    if (!this.#share.take(bytes)) return false;
    this.#records.push(record);
    this.#sizes.push(bytes);
    return true;
  }

  /** Returns the next records to deliver, at most `max`. They stay until `doneBelow`. */
  delivery(max = this.#deliveryRecordsMax): readonly LogRecord[] {
    let characters = 0;
    let end = this.#head;
    for (; end < this.#records.length && end - this.#head < max; end += 1) {
      characters += this.#records[end]?.value.length ?? 0;
      if (end > this.#head && characters > DELIVERY_CHARACTERS_MAX) break;
    }
    return this.#records.slice(this.#head, end);
  }

  /** Frees the records below an offset. */
  doneBelow(offset: number): void {
    let bytes = 0;
    for (let first = this.#records[this.#head]; first !== undefined && first.offset < offset; ) {
      bytes += this.#sizes[this.#head] ?? 0;
      this.#head += 1;
      first = this.#records[this.#head];
    }
    this.#share.giveBack(bytes);
    if (this.#head * 2 < this.#records.length) return;
    this.#records = this.#records.slice(this.#head);
    this.#sizes = this.#sizes.slice(this.#head);
    this.#head = 0;
  }

  clear(): void {
    this.#records = [];
    this.#sizes = [];
    this.#head = 0;
    this.#share.giveAllBack();
  }

  #bound(level: 'full' | 'low'): number {
    return Math.max(RECORDS[level], DELIVERIES[level] * this.#deliveryRecordsMax);
  }

  #size(): number {
    return this.#records.length - this.#head;
  }
}
