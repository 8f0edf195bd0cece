import type { LogRecord } from '../../../topics/ports/log.ts';
import { type RecordShare, recordBytes } from '../shared/record-memory.ts';

/** Characters of values that one delivery holds at most, unless a single record has more. */
const DELIVERY_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * What a partition holds before it is fetched no further, beside its share of the memory; one fetch may go beyond it. It is
 * fetched again when the lower bounds are reached: what is left then has to last for the wait of a fetch that was begun for
 * other partitions.
 */
const DELIVERIES = { full: 2, low: 1 } as const;
const RECORDS = { full: 2_000, low: 1_000 } as const;

/** Records that were fetched and not yet handled, in offset order, within bounds. */
export class RecordBuffer {
  readonly #deliveryRecordsMax: number;
  readonly #share: RecordShare;
  #records: LogRecord[] = [];
  /** The memory that each record was counted with. */
  #sizes: number[] = [];
  /** Everything before it is done; it is cut off when it has become the larger part. */
  #head = 0;

  constructor(deliveryRecordsMax: number, share: RecordShare) {
    this.#deliveryRecordsMax = deliveryRecordsMax;
    this.#share = share;
  }

  isEmpty(): boolean {
    return this.#size() === 0;
  }

  /** Whether there is more than the partition should hold: time to stop fetching. */
  isFull(): boolean {
    return this.#size() >= this.#bound('full') || this.#share.isFull();
  }

  /** Whether so little is left that fetching has to begin again. */
  isLow(): boolean {
    return this.#size() < this.#bound('low') && this.#share.isLow();
  }

  /**
   * Adds a record; false if there is no room for it in the memory of the process. An empty buffer takes every record.
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

  /** The records to deliver next, at most `max`. They stay until they are done. */
  delivery(max = this.#deliveryRecordsMax): readonly LogRecord[] {
    let characters = 0;
    let end = this.#head;
    for (; end < this.#records.length && end - this.#head < max; end += 1) {
      characters += this.#records[end]?.value.length ?? 0;
      if (end > this.#head && characters > DELIVERY_CHARACTERS_MAX) break;
    }
    return this.#records.slice(this.#head, end);
  }

  /** Lets go of everything below an offset. */
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
