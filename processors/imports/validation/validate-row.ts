import type { CsvRow } from '../../../schemas/csv/cells.ts';
import { FIELD_BYTES_MAX, RECORD_BYTES_MAX } from '../../../schemas/csv/limits.ts';
import type { Field } from '../../../schemas/imports/configuration.ts';
import type { RowError, RowErrorCode } from '../../../schemas/imports/file-faults.ts';
import type { CanonicalValue } from '../../../schemas/imports/identity.ts';
import { readTypedValue } from './typed-value.ts';

/** What every row of a file is judged by. */
export interface RowRules {
  readonly fields: readonly Field[];
  /** The column of each field, in the same order, or null where none is mapped to it. */
  readonly sources: readonly (number | null)[];
  readonly headerColumns: number;
}

export type RowVerdict =
  | { readonly kind: 'valid'; readonly values: readonly CanonicalValue[] }
  | { readonly kind: 'invalid'; readonly errors: readonly RowError[] };

/**
 * Judges one row by contract D, "Row error": every error of every field in schema-field order, a field's size before its
 * type. A record that is too large, or has another number of fields than the header, has that error alone, because no
 * cell of it can be trusted to stand in its column.
 *
 * The size of a field is a limit on the file's shape (specification 8), so an unmapped one counts too. As it has no
 * target, its error names no column; it comes first, and once for the row.
 *
 * @param number the row's 1-based number in the file
 */
export function validateRow(row: CsvRow, number: number, rules: RowRules): RowVerdict {
  const { record, cells } = row;
  const place = { row: number, line: record.line };
  const shapeError = checkShape(row, rules.headerColumns);
  if (shapeError !== null || cells === null) {
    return { kind: 'invalid', errors: [{ ...place, column: null, ...(shapeError ?? TOO_LARGE_RECORD) }] };
  }
  const errors: RowError[] = [];
  if (hasLargeUnmappedCell(cells, rules.sources)) {
    errors.push({ ...place, column: null, ...TOO_LARGE_FIELD });
  }
  const values = rules.fields.map((field, index) => {
    const source = rules.sources[index] ?? null;
    const cell = source === null ? '' : (cells[source] as string);
    if (isLarge(cell)) errors.push({ ...place, column: field.key, ...TOO_LARGE_FIELD });
    const read = readTypedValue(field, cell);
    if (read.kind === 'value') return read.value;
    errors.push({ ...place, column: field.key, code: read.code, message: read.message });
    return null;
  });
  return errors.length === 0 ? { kind: 'valid', values } : { kind: 'invalid', errors };
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

function checkShape({ record }: CsvRow, headerColumns: number): Problem | null {
  if (record.end - record.start > RECORD_BYTES_MAX) return TOO_LARGE_RECORD;
  if (record.columns === headerColumns) return null;
  return {
    code: 'column_count',
    message: `Allowed: as many fields as in the header. Expected ${headerColumns}, found ${record.columns}.`,
  };
}

function hasLargeUnmappedCell(cells: readonly string[], sources: readonly (number | null)[]): boolean {
  return cells.some((cell, index) => isLarge(cell) && !sources.includes(index));
}

function isLarge(cell: string): boolean {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most cells need no count.
  return cell.length * 3 > FIELD_BYTES_MAX && Buffer.byteLength(cell) > FIELD_BYTES_MAX;
}
