import { z } from 'zod';
import { originSchema, pageOriginsSchema } from '../base/origin.ts';
import { textSchema } from '../base/text.ts';
import { eachOnce } from '../base/unique.ts';
import { FIELDS, MAPPING } from './example-import.ts';
import { fieldKeySchema } from './fields/field-type.ts';
import { FIELD_TYPES } from './fields/registry.ts';
import { TEXT_LENGTH_MAX } from './fields/text.ts';

const COLUMNS_MAX = 100;
const ORIGINS_MAX = 10;
const NAME_CHARACTERS_MAX = 80;

const CONFIGURATION = 'The fields of a schema, and the pages that may import with it.';
const ALLOWED_ORIGINS = 'Origins of the pages that may import with this schema.';
const version = { description: 'The version of this contract.' };

/** One target column (infra/docs/reference/imports.md#schemas). */
export const fieldSchema = FIELD_TYPES.schema.register(z.globalRegistry, {
  id: 'ImportField',
  description: 'A field that columns of files are mapped to.',
});

export type Field = z.infer<typeof fieldSchema>;

const fieldsSchema = z
  .strictObject({
    version: z.literal('svcimport.schema.v1').meta(version),
    revision: z.int().positive().meta({
      description: 'The number of the revision: 1 for a new schema, then one more each time.',
      example: 1,
    }),
    fields: z
      .array(fieldSchema)
      .min(1)
      .max(COLUMNS_MAX)
      .check(
        eachOnce(
          ({ key }) => key,
          (first) => `a key other than fields[${first}] has`,
          ['key'],
        ),
      )
      .meta({
        description: 'The fields, in the order in which values are digested.',
        get example() {
          return FIELDS;
        },
      }),
  })
  .meta({ id: 'ImportFields', description: 'The fields of one revision.' });

export const importConfigurationSchema = z
  .strictObject({
    name: textSchema({ min: 1, max: NAME_CHARACTERS_MAX }).meta({ example: 'Orders' }),
    allowedOrigins: z
      .array(originSchema)
      .min(1)
      .max(ORIGINS_MAX)
      .refine((origins) => new Set(origins).size === origins.length, 'expected each origin once')
      .describe(ALLOWED_ORIGINS),
    schema: fieldsSchema,
  })
  .meta({ id: 'ImportConfiguration', description: CONFIGURATION });

/** The configuration as a request brings it. */
export const importConfigurationRequestSchema = importConfigurationSchema
  .extend({
    allowedOrigins: pageOriginsSchema({ min: 1, max: ORIGINS_MAX }).describe(ALLOWED_ORIGINS),
  })
  .meta({ id: 'ImportConfigurationRequest', description: CONFIGURATION });

export type ImportConfiguration = z.infer<typeof importConfigurationSchema>;

const mappedColumnSchema = z
  .strictObject({
    source: textSchema({ min: 1, max: TEXT_LENGTH_MAX }).meta({
      description: 'The name of the column in the header of the file.',
      example: 'Code',
    }),
    target: fieldKeySchema.meta({ description: 'The key of a field.', example: 'code' }),
  })
  .meta({ id: 'ImportMappingColumn', description: 'One column.' });

/** A mapping as the caller sends it: header names of the file to field keys. */
export const mappingSchema = z
  .strictObject({
    version: z.literal('svcimport.mapping.v1').meta(version),
    revision: z.int().positive().meta({
      description: 'The number of the mapping: 1 for the first one, then one more each time.',
      example: 1,
    }),
    columns: z
      .array(mappedColumnSchema)
      .min(1)
      .max(COLUMNS_MAX)
      .check(
        eachOnce(
          ({ source }) => source,
          (first) => `a source other than columns[${first}] has`,
          ['source'],
        ),
        eachOnce(
          ({ target }) => target,
          (first) => `a target other than columns[${first}] has`,
          ['target'],
        ),
      )
      .meta({
        description: 'Each source and each target once. Columns that are not named are ignored.',
        get example() {
          return MAPPING.columns;
        },
      }),
  })
  .meta({
    id: 'ImportMapping',
    description: 'Columns of the file and the fields that they fill.',
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
