import { isBlank, type ScannedRecord } from '../../../schemas/csv/scanner.ts';
import type { PartitionRange } from '../../../schemas/imports/work-items.ts';

/** Records of one partition, and so rows of one batch. */
export const PARTITION_RECORDS_MAX = 100;

/** Record bytes of one partition, line ends not counted; a single larger record stands alone. */
export const PARTITION_BYTES_MAX = 256 * 1024;

/**
 * Cuts the records behind the header into partitions, which depends on nothing but the file: the same rows get the same
 * partitions under every mapping, and so the same batch ids.
 *
 * Partitions are contiguous and together cover everything behind the header. Blank lines belong to the partition before
 * them; those before the first data record, to the first partition.
 */
export class PartitionCutter {
  readonly #closed: PartitionRange[] = [];
  #open: OpenPartition | null = null;
  #rows = 0;

  /** Data records so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Takes the next record, blank or not. */
  add(record: ScannedRecord): void {
    const open = this.#open ?? this.#begin(record);
    if (isBlank(record)) {
      open.blank += 1;
      open.end = record.next;
      return;
    }
    const bytes = record.end - record.start;
    const taking = fits(open, bytes) ? open : this.#cut(open, record);
    taking.rows += 1;
    taking.bytes += bytes;
    taking.end = record.next;
    this.#rows += 1;
  }

  /** The partitions of the whole file: none where no record holds data. */
  finish(): PartitionRange[] {
    const open = this.#open;
    return open === null || open.rows === 0 ? [] : [...this.#closed, rangeOf(open)];
  }

  #cut(open: OpenPartition, record: ScannedRecord): OpenPartition {
    this.#closed.push(rangeOf(open));
    return this.#begin(record);
  }

  #begin(record: ScannedRecord): OpenPartition {
    this.#open = {
      index: this.#closed.length,
      start: record.start,
      end: record.next,
      firstRow: this.#rows + 1,
      firstLine: record.line,
      rows: 0,
      blank: 0,
      bytes: 0,
    };
    return this.#open;
  }
}

type OpenPartition = { -readonly [Key in keyof PartitionRange]: PartitionRange[Key] } & { bytes: number };

function fits(open: OpenPartition, bytes: number): boolean {
  if (open.rows === 0) return true;
  return open.rows < PARTITION_RECORDS_MAX && open.bytes + bytes <= PARTITION_BYTES_MAX;
}

function rangeOf({ bytes: _, ...range }: OpenPartition): PartitionRange {
  return range;
}
