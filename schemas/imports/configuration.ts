import { z } from 'zod';
import { originSchema, pageOriginsSchema } from '../base/origin.ts';
import { textSchema } from '../base/text.ts';
import { eachOnce } from '../base/unique.ts';

/** Date formats that a field may name; the output is always `YYYY-MM-DD`. */
export const DATE_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YYYY/MM/DD'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export const FIELD_TYPES = ['text', 'integer', 'decimal', 'date', 'boolean'] as const;

const COLUMNS_MAX = 100;
const TEXT_LENGTH_MAX = 16_384;
const PRECISION_MAX = 38;
const ORIGINS_MAX = 10;
const NAME_CHARACTERS_MAX = 80;

const fieldKeySchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'expected a letter, then up to 63 letters, digits or _');

const common = { key: fieldKeySchema, required: z.boolean() };

/** One target column (infra/docs/reference/imports.md#schemas). */
export const fieldSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('text'),
    /** Unicode code points. */
    maxLength: z.int().min(1).max(TEXT_LENGTH_MAX).optional(),
  }),
  z.strictObject({ ...common, type: z.literal('integer') }),
  z
    .strictObject({
      ...common,
      type: z.literal('decimal'),
      /**
       * Digits at most, as SQL's NUMERIC counts them: with `scale`, at most `precision − scale` before the point; alone,
       * in all. A zero before the point is not counted.
       */
      precision: z.int().min(1).max(PRECISION_MAX).optional(),
      /** Digits after the point at most. */
      scale: z.int().min(0).max(PRECISION_MAX).optional(),
    })
    .refine((field) => (field.scale ?? 0) <= (field.precision ?? PRECISION_MAX), {
      path: ['scale'],
      message: 'expected at most the precision',
    }),
  z.strictObject({ ...common, type: z.literal('date'), format: z.enum(DATE_FORMATS).optional() }),
  z.strictObject({ ...common, type: z.literal('boolean') }),
]);

export type Field = z.infer<typeof fieldSchema>;

export const importConfigurationSchema = z.strictObject({
  name: textSchema({ min: 1, max: NAME_CHARACTERS_MAX }),
  allowedOrigins: z
    .array(originSchema)
    .min(1)
    .max(ORIGINS_MAX)
    .refine((origins) => new Set(origins).size === origins.length, 'expected each origin once'),
  schema: z.strictObject({
    version: z.literal('svcimport.schema.v1'),
    revision: z.int().positive(),
    fields: z
      .array(fieldSchema)
      .min(1)
      .max(COLUMNS_MAX)
      .check(
        eachOnce(
          ({ key }) => key,
          (first) => `another key than fields[${first}] has`,
          ['key'],
        ),
      ),
  }),
});

/** The configuration as a request brings it. */
export const importConfigurationRequestSchema = importConfigurationSchema.extend({
  allowedOrigins: pageOriginsSchema({ min: 1, max: ORIGINS_MAX }),
});

export type ImportConfiguration = z.infer<typeof importConfigurationSchema>;

/** A mapping as the caller sends it: header names of the file to field keys. */
export const mappingSchema = z.strictObject({
  version: z.literal('svcimport.mapping.v1'),
  revision: z.int().positive(),
  columns: z
    .array(z.strictObject({ source: textSchema({ min: 1, max: TEXT_LENGTH_MAX }), target: fieldKeySchema }))
    .min(1)
    .max(COLUMNS_MAX)
    .check(
      eachOnce(
        ({ source }) => source,
        (first) => `another source than columns[${first}] has`,
        ['source'],
      ),
      eachOnce(
        ({ target }) => target,
        (first) => `another target than columns[${first}] has`,
        ['target'],
      ),
    ),
});

export type Mapping = z.infer<typeof mappingSchema>;

/**
 * A mapping as commands and documents carry it: positions of columns in the file instead of their names, which are
 * private. `index` is null only in mappings from before an upload failed a file whose header cannot be read; the split
 * fails their imports.
 */
export const columnMappingSchema = z.strictObject({
  target: fieldKeySchema,
  index: z.int().nonnegative().nullable(),
});

export type ColumnMapping = z.infer<typeof columnMappingSchema>;
