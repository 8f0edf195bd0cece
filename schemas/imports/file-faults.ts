import { z } from 'zod';
import { FIELD_TYPES } from './fields/registry.ts';
import { FILE_FAULTS, type FileFaultCode } from './file-fault-texts.ts';

export const fileFaultSchema = z
  .strictObject({
    code: z
      .enum(Object.keys(FILE_FAULTS) as [FileFaultCode, ...FileFaultCode[]])
      .meta({ description: 'A stable code for programs.', example: 'stray_quote' }),
    line: z.int().positive().nullable().meta({
      description: 'The physical line, from 1; null if it is about no place in the file.',
      example: 7,
    }),
    byteOffset: z.int().nonnegative().nullable().meta({
      description:
        'The offset in the uploaded bytes, a BOM included, from 0; null if it is about no place in the file.',
      example: 182,
    }),
  })
  .meta({ id: 'FileFault', description: 'The reason why a file cannot be imported.' });

export type FileFault = z.infer<typeof fileFaultSchema>;

/** The possible faults of one row (infra/docs/reference/imports.md#validation). */
export const ROW_ERROR_CODES = rowErrorCodes(FIELD_TYPES);

export type RowErrorCode = (typeof ROW_ERROR_CODES)[number];

/** The codes of row errors with these field types, in the order in which counts list them. */
export function rowErrorCodes<Code extends string>({ errorCodes }: { readonly errorCodes: readonly Code[] }) {
  return ['required', ...errorCodes, 'column_count', 'field_too_large', 'record_too_large'] as const;
}

/** The place of an error, for programs. */
const columnSchema = z.string().nullable().meta({
  description: 'The key of the field; null if the error is about the whole record.',
  example: 'amount',
});
const codeSchema = z
  .enum(ROW_ERROR_CODES)
  .meta({ description: 'A stable code for programs.', example: 'not_decimal' });

/** The members of an error of a row in answers. */
export const rowFaultFields = {
  column: columnSchema,
  code: codeSchema,
  message: z.string().meta({
    description: 'A sentence that says what is allowed.',
    example: 'Expected a decimal number.',
  }),
};

/** One error as it is stored: without the cell's value, which is read from the source where the reader may see it. */
export const rowErrorSchema = z.strictObject({
  row: z.int().positive(),
  line: z.int().positive(),
  ...rowFaultFields,
});

export type RowError = z.infer<typeof rowErrorSchema>;

/** The number of errors of one code in a column, over the whole file. */
export const errorCountSchema = z
  .strictObject({
    column: columnSchema,
    code: codeSchema,
    count: z.int().positive().meta({ description: 'Errors in the whole file.', example: 3 }),
  })
  .meta({ id: 'RowErrorCount', description: 'Errors of one column and code.' });

export type ErrorCount = z.infer<typeof errorCountSchema>;
