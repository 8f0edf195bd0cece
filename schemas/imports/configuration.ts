import { z } from 'zod';
import { originSchema, pageOriginsSchema } from '../base/origin.ts';
import { textSchema } from '../base/text.ts';
import { eachOnce } from '../base/unique.ts';
import { fieldKeySchema } from './fields/field-type.ts';
import { FIELD_TYPES } from './fields/registry.ts';
import { TEXT_LENGTH_MAX } from './fields/text.ts';

const COLUMNS_MAX = 100;
const ORIGINS_MAX = 10;
const NAME_CHARACTERS_MAX = 80;

/** One target column (infra/docs/reference/imports.md#schemas). */
export const fieldSchema = FIELD_TYPES.schema;

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
