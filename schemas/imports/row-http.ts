import { z } from 'zod';
import { nextCursorSchema } from '../base/paging.ts';
import { textSchema } from '../base/text.ts';
import { errorCountSchema, ROW_ERROR_CODES, rowFaultFields } from './file-faults.ts';
import { listQuerySchema } from './http.ts';
import { canonicalValueSchema, count } from './http-fields.ts';

const FIELD_KEY_CHARACTERS_MAX = 64;

export const rowsQuerySchema = listQuerySchema.extend({
  filter: z
    .enum(['all', 'valid', 'invalid'])
    .optional()
    .transform((filter) => filter ?? 'all')
    .meta({ description: 'Only rows with or without errors.', example: 'invalid' }),
  field: textSchema({ max: FIELD_KEY_CHARACTERS_MAX })
    .optional()
    .meta({ description: 'Only rows with an error in this column.', example: 'amount' }),
  code: z
    .enum(ROW_ERROR_CODES)
    .optional()
    .meta({ description: 'Only rows with an error of this code.', example: 'not_decimal' }),
});

export type RowsQuery = z.infer<typeof rowsQuerySchema>;

/** The start of a file, for mapping its columns. */
export const sourceSampleSchema = z
  .strictObject({
    headers: z
      .array(z.string())
      .meta({ description: 'The names of the columns.', example: ['Code', 'Amount', 'Day'] }),
    sample: z.array(z.array(z.string()).nullable()).meta({
      description: 'The first rows as they are in the file; null for a record that is too large.',
      example: [
        ['A-1', '12.50', '31.01.2026'],
        ['A-2', '7', ''],
      ],
    }),
  })
  .meta({ id: 'ImportSourceSample', description: 'The start of the file.' });

const rowPlace = {
  row: z.int().positive().meta({
    description: 'The number of the row, from 1, without header and blank lines.',
    example: 2,
  }),
  line: z.int().positive().meta({ description: 'The physical line on which it begins, from 1.', example: 3 }),
};

const rowSchema = z
  .strictObject({
    ...rowPlace,
    source: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'The cells as they are in the file; null for a record that is too large.',
        example: ['A-2', '7,5', ''],
      }),
    values: z.record(z.string(), canonicalValueSchema).nullable().meta({
      description: 'The values by the key of their field; null for an invalid row.',
      example: null,
    }),
    errors: z
      .array(z.strictObject(rowFaultFields).meta({ id: 'RowError', description: 'An error of a row.' }))
      .describe('The errors, in the order of the fields of the schema.'),
    moreErrors: count.meta({
      description: 'Further errors of the row, which are only counted.',
      example: 0,
    }),
  })
  .meta({ id: 'ImportRow', description: 'A row with its errors.' });

export const rowListSchema = z
  .strictObject({
    rows: z.array(rowSchema).describe('The rows, in the order of the file.'),
    nextCursor: nextCursorSchema,
  })
  .meta({ id: 'ImportRowList', description: 'One page of rows.' });

export type RowList = z.infer<typeof rowListSchema>;

/** A page of errors, as any reader sees it. */
const errorPageFields = {
  counts: z.array(errorCountSchema).describe('All errors of the file by column and code.'),
  total: count.meta({ description: 'All errors of the file.', example: 3 }),
  nextCursor: nextCursorSchema,
};

const listedErrorSchema = z
  .strictObject({
    ...rowPlace,
    ...rowFaultFields,
    source: z.string().nullable().meta({
      description: 'The name of the column in the header; null if the error is about the whole record.',
      example: 'Amount',
    }),
    value: z.string().nullable().meta({
      description: 'The cell; null if the error is about the whole record.',
      example: '7,5',
    }),
  })
  .meta({ id: 'ImportError', description: 'An error with its place.' });

export const errorListSchema = z
  .strictObject({
    errors: z.array(listedErrorSchema).describe('The first errors of the file.'),
    ...errorPageFields,
  })
  .meta({ id: 'ImportErrorList', description: 'One page of errors.' });

/** The errors for those who see nothing of the file: agents, and backends. */
export const errorPlacesSchema = z
  .strictObject({
    errors: z
      .array(
        z
          .strictObject({ ...rowPlace, ...rowFaultFields })
          .meta({ id: 'ImportErrorPlace', description: 'The place of an error, without the cell.' }),
      )
      .describe('The first errors of the file.'),
    ...errorPageFields,
  })
  .meta({ id: 'ImportErrorPlaces', description: 'One page of the places of errors.' });

export type ErrorPlaces = z.infer<typeof errorPlacesSchema>;

export type ErrorList = z.infer<typeof errorListSchema>;
