import type { Field } from '../../../schemas/imports/configuration.ts';
import {
  type ErrorCount,
  ROW_ERROR_CODES,
  type RowError,
  type RowErrorCode,
} from '../../../schemas/imports/file-faults.ts';

/** Counts errors by column and code: those of whole records first, then in schema-field order; codes in registry order. */
export function countErrors(errors: readonly RowError[], fields: readonly Field[]): ErrorCount[] {
  const counts = new Map<string | null, Map<RowErrorCode, number>>();
  for (const { column, code } of errors) {
    const codes = counts.get(column) ?? new Map<RowErrorCode, number>();
    codes.set(code, (codes.get(code) ?? 0) + 1);
    counts.set(column, codes);
  }
  return [null, ...fields.map((field) => field.key)].flatMap((column) =>
    ROW_ERROR_CODES.flatMap((code) => {
      const count = counts.get(column)?.get(code);
      return count === undefined ? [] : [{ column, code, count }];
    }),
  );
}
