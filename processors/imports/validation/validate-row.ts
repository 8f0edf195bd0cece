import type { CsvRow } from '../../../schemas/csv/cells.ts';
import { FIELD_BYTES_MAX, RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import type { ScannedRecord } from '../../../schemas/csv/scanner.ts';
import type { TypedValue } from '../../../schemas/imports/fields/field-type.ts';
import type { RowError, RowErrorCode } from '../../../schemas/imports/file-faults.ts';
import type { CanonicalValue } from '../../../schemas/imports/identity.ts';

/** A field of the schema with the reader of its cells. */
export interface FieldReader {
  readonly key: string;
  read(cell: string): TypedValue<RowErrorCode>;
}

/** The rules for every row of a file. */
export interface RowRules {
  readonly fields: readonly FieldReader[];
  /** The column of each field, in the same order, or null where none is mapped to it. */
  readonly sources: readonly (number | null)[];
  readonly headerColumns: number;
  /** The codes of row errors, in the order of counts. */
  readonly codes: readonly RowErrorCode[];
}

export type RowResult =
  | { readonly kind: 'valid'; readonly values: readonly CanonicalValue[] }
  | { readonly kind: 'invalid'; readonly errors: readonly RowError[] };

/**
 * Validates one row (infra/docs/reference/imports.md#validation). Returns every error of every field, in the order of
 * the schema's fields, a field's size before its type.
 *
 * A record that is too large has that error alone, because it is not decoded. A record whose number of fields differs
 * from the header's gets only errors of size besides, because its cells may stand in the wrong columns. The size of a
 * field limits the file's shape, so an unmapped field counts too. Its error names no column, because it has no
 * target; it is reported once for a row, before the errors of fields.
 *
 * @param number the row's 1-based number in the file
 */
export function validateRow(row: CsvRow, number: number, rules: RowRules): RowResult {
  const { record, cells } = row;
  const place = { row: number, line: record.line };
  if (record.end - record.start > RECORD_BYTES_MAX) {
    return { kind: 'invalid', errors: [{ ...place, column: null, ...TOO_LARGE_RECORD }] };
  }
  if (cells === null || cells.length !== rules.headerColumns) {
    const problems = [
      wrongCount(rules.headerColumns, record.columns),
      ...(cells?.some(isLarge) === true ? [TOO_LARGE_FIELD] : []),
    ];
    return { kind: 'invalid', errors: problems.map((problem) => ({ ...place, column: null, ...problem })) };
  }
  const errors: RowError[] = [];
  if (hasLargeUnmappedCell(cells, rules.sources)) {
    errors.push({ ...place, column: null, ...TOO_LARGE_FIELD });
  }
  const values = rules.fields.map((field, index) => {
    const source = rules.sources[index] ?? null;
    const cell = source === null ? '' : (cells[source] as string);
    if (isLarge(cell)) errors.push({ ...place, column: field.key, ...TOO_LARGE_FIELD });
    const read = field.read(cell);
    if (read.kind === 'value') return read.value;
    errors.push({ ...place, column: field.key, code: read.code, message: read.message });
    return null;
  });
  return errors.length === 0 ? { kind: 'valid', values } : { kind: 'invalid', errors };
}

/**
 * True if the cells of a record decide about its row. The cells of a record with another number of fields than the header are read
 * only if one can be too large: tens of thousands of empty fields would take longer to decode than the rest of a validation.
 */
export function needsCells(record: ScannedRecord, headerColumns: number): boolean {
  const separators = record.columns - 1;
  return record.columns === headerColumns || record.end - record.start - separators > FIELD_BYTES_MAX;
}

interface Problem {
  readonly code: RowErrorCode;
  readonly message: string;
}

const TOO_LARGE_RECORD: Problem = {
  code: 'record_too_large',
  message: `Allowed: at most ${RECORD_BYTES_MAX} bytes in one record.`,
};

const TOO_LARGE_FIELD: Problem = {
  code: 'field_too_large',
  message: `Allowed: at most ${FIELD_BYTES_MAX} bytes in one field.`,
};

function wrongCount(expected: number, found: number): Problem {
  return {
    code: 'column_count',
    message: `Allowed: as many fields as in the header. Expected ${expected}, found ${found}.`,
  };
}

function hasLargeUnmappedCell(cells: readonly string[], sources: readonly (number | null)[]): boolean {
  return cells.some((cell, index) => isLarge(cell) && !sources.includes(index));
}

function isLarge(cell: string): boolean {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most cells need no count.
  return cell.length * 3 > FIELD_BYTES_MAX && Buffer.byteLength(cell) > FIELD_BYTES_MAX;
}
