import { RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import type { ScannedRecord } from '../../../schemas/csv/scanner.ts';

const NULL_BYTES = 'null'.length;
const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;
/** The quotes around a JSON string, or the part of `null` that a cell's own bytes do not pay for. */
const VALUE_BYTES = NULL_BYTES;

/**
 * The most bytes that one record can take in an artifact under any mapping, its comma included.
 *
 * An invalid row is `null`. A valid one has the header's number of fields and is an array of `fieldCount` values. Each
 * value is `null` (4 bytes), a boolean (shorter than the quoted cell), or a string of at most 2 bytes of quotes plus
 * the cell's escaped bytes; dates keep their length, numbers and text are kept as written. Each cell goes to at most one
 * field, so the cells' escaped bytes count once: they are at most the record's bytes without its commas plus `growth`,
 * because a doubled quote takes two bytes in CSV as it does in JSON.
 */
export function artifactRowBound(record: ScannedRecord, headerColumns: number, fieldCount: number): number {
  const bytes = record.end - record.start;
  if (record.columns !== headerColumns || bytes > RECORD_BYTES_MAX) return NULL_BYTES + COMMA_BYTES;
  const frame = BRACKETS_BYTES + (fieldCount - 1) * COMMA_BYTES + fieldCount * VALUE_BYTES;
  return frame + (bytes - (record.columns - 1)) + record.growth + COMMA_BYTES;
}

/** What the artifacts of `partitions` partitions need around their rows: the brackets of each array. */
export function artifactFrameBound(partitions: number): number {
  return partitions * BRACKETS_BYTES;
}
