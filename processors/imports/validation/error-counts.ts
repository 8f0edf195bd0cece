import type { AnyField } from '../../../schemas/imports/fields/field-type.ts';
import type { ErrorCount, RowError, RowErrorCode } from '../../../schemas/imports/file-faults.ts';

/** Counts errors by column and code: those of whole records first, then in schema-field order; codes in the order of `codes`. */
export function countErrors(
  errors: readonly RowError[],
  fields: readonly AnyField[],
  codes: readonly RowErrorCode[],
): ErrorCount[] {
  const counts = new Map<string | null, Map<RowErrorCode, number>>();
  for (const { column, code } of errors) {
    const ofColumn = counts.get(column) ?? new Map<RowErrorCode, number>();
    ofColumn.set(code, (ofColumn.get(code) ?? 0) + 1);
    counts.set(column, ofColumn);
  }
  return [null, ...fields.map((field) => field.key)].flatMap((column) =>
    codes.flatMap((code) => {
      const count = counts.get(column)?.get(code);
      return count === undefined ? [] : [{ column, code, count }];
    }),
  );
}
