import { RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import type { ScannedRecord } from '../../../schemas/csv/scanner.ts';

const NULL_BYTES = 'null'.length;
const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;

/**
 * The most bytes that one record can take in an artifact under any mapping, its comma included.
 *
 * An invalid row is `null`. A valid row has the header's number of fields and is an array with one value for each field of
 * the schema. A value takes at most the `artifactBound` of its type beyond the cell's escaped bytes. Each cell goes to at
 * most one field, so the escaped bytes of cells count once: they are at most the record's bytes without its commas plus
 * `growth`, because a doubled quote takes two bytes in CSV as it does in JSON.
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
