import { z } from 'zod';
import { FIELD_TYPES } from './fields/registry.ts';
import { FILE_FAULTS, type FileFaultCode } from './file-fault-texts.ts';

export const fileFaultSchema = z.strictObject({
  code: z.enum(Object.keys(FILE_FAULTS) as [FileFaultCode, ...FileFaultCode[]]),
  /** 1-based physical line, or null where no place in the file is meant. */
  line: z.int().positive().nullable(),
  /** 0-based offset in the uploaded bytes, a BOM included. */
  byteOffset: z.int().nonnegative().nullable(),
});

export type FileFault = z.infer<typeof fileFaultSchema>;

/** The possible faults of one row (infra/docs/reference/imports.md#validation). */
export const ROW_ERROR_CODES = rowErrorCodes(FIELD_TYPES);

export type RowErrorCode = (typeof ROW_ERROR_CODES)[number];

/** The codes of row errors with these field types, in the order in which counts list them. */
export function rowErrorCodes<Code extends string>({ errorCodes }: { readonly errorCodes: readonly Code[] }) {
  return ['required', ...errorCodes, 'column_count', 'field_too_large', 'record_too_large'] as const;
}

/** One error as it is stored: without the cell's value, which is read from the source where the reader may see it. */
export const rowErrorSchema = z.strictObject({
  row: z.int().positive(),
  line: z.int().positive(),
  /** The target key, or null when the error is about the whole record. */
  column: z.string().nullable(),
  code: z.enum(ROW_ERROR_CODES),
  /** The allowed values; never the value seen. */
  message: z.string(),
});

export type RowError = z.infer<typeof rowErrorSchema>;

/** The number of errors of one code in a column, over the whole file. */
export const errorCountSchema = z.strictObject({
  column: z.string().nullable(),
  code: z.enum(ROW_ERROR_CODES),
  count: z.int().positive(),
});

export type ErrorCount = z.infer<typeof errorCountSchema>;
