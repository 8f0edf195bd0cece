import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { EXAMPLES } from '../base/examples.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { isoTimeSchema } from '../base/time.ts';
import { BATCH_ID, FILE_BYTES, FILE_SHA256, VALIDATION_DIGEST } from './example-import.ts';

export const count = z.int().nonnegative();

export const canonicalValueSchema = z.union([z.string(), z.boolean(), z.null()]);

const IN_A_WEEK = '2026-09-14T10:00:00.000Z';

export const schemaId = idSchema('schema');

export const importId = importIdSchema;

export const origin = z.string().meta({ example: EXAMPLES.origin });

export const expiresAt = isoTimeSchema.meta({
  description: 'The time at which its data ends.',
  example: IN_A_WEEK,
});

export const revision = z.int().positive().meta({ description: 'The current revision.', example: 1 });

export const schemaRevision = z
  .int()
  .positive()
  .meta({ description: 'The revision of the schema that the import uses.', example: 1 });

export const batchId = sha256Schema.meta({ example: BATCH_ID });

/** The version marker of a request or an answer. */
export function marker<const Name extends string>(name: Name) {
  return z.literal(name).describe('The version of this contract.');
}

export const byteLength = count.meta({
  description: 'The length of the file in bytes.',
  example: FILE_BYTES,
});

export const sha256 = sha256Schema.meta({
  description: 'The SHA-256 of the file, as 64 lower-case hexadecimal characters.',
  example: FILE_SHA256,
});

export const mappingRevision = z.int().positive().nullable().meta({
  description: 'The number of the mapping; null before the first one.',
  example: 1,
});

export const batchCount = count.meta({ description: 'Batches of the validated file.', example: 1 });

export const approvedAt = isoTimeSchema
  .nullable()
  .meta({ description: 'The time of the approval; null without one.', example: null });

export const validationDigest = sha256Schema.nullable().meta({
  description: 'The digest that an approval names; null unless every row is valid.',
  example: VALIDATION_DIGEST,
});
