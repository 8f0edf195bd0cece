import { RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import type { ScannedRecord } from '../../../schemas/csv/scanner.ts';

const NULL_BYTES = 'null'.length;
const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;

/**
 * Returns the most bytes of one record in an artifact under any mapping, its comma included.
 *
 * An invalid row is `null`. A valid row has the header's number of fields, and is an array with one value for each
 * field of the schema. A value takes at most the `artifactBound` of its type beyond the cell's escaped bytes. Each
 * cell maps to at most one field, so its escaped bytes count once. All cells together take at most the record's bytes
 * without its commas plus `growth`, because a doubled quote takes two bytes both in CSV and in JSON.
 *
 * @param rowBound the bytes of a row around its cells' bytes: `FieldTypes.rowBound` of the schema's fields
 */
export function artifactRowBound(record: ScannedRecord, headerColumns: number, rowBound: number): number {
  const bytes = record.end - record.start;
  if (record.columns !== headerColumns || bytes > RECORD_BYTES_MAX) return NULL_BYTES + COMMA_BYTES;
  return rowBound + (bytes - (record.columns - 1)) + record.growth + COMMA_BYTES;
}

/** The bytes of the artifacts of `partitions` partitions around their rows: the brackets of each array. */
export function artifactFrameBound(partitions: number): number {
  return partitions * BRACKETS_BYTES;
}
