import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { importConfigurationSchema, mappingSchema } from './configuration.ts';
import { importStatusSchema, schemaAnswerSchema } from './http.ts';

// Requests and answers that only people in the console have.

const count = z.int().nonnegative();
const nextCursor = z.string().nullable();
const SEARCH_CHARACTERS_MAX = 256;

/** A text to find in cells. It is private like the cells, so it is no part of an address. */
export const searchRowsRequestSchema = z.strictObject({
  contains: textSchema({ min: 1, max: SEARCH_CHARACTERS_MAX }),
});

/** A schema as people of the organization see it. */
export const schemaDetailSchema = schemaAnswerSchema.extend({
  /** When the current revision was made; `createdAt` is the schema's. */
  revisedAt: isoTimeSchema,
  /** Browser sessions that may still be used, oldest first; null for a member. */
  sessions: z
    .array(
      z.strictObject({
        capabilityId: idSchema('capability'),
        origin: z.string(),
        schemaRevision: z.int().positive(),
        delegateApproval: z.boolean(),
        expiresAt: isoTimeSchema,
        imports: count,
      }),
    )
    .nullable(),
});

export const schemaRevisionListSchema = z.strictObject({
  revisions: z.array(
    z.strictObject({
      revision: z.int().positive(),
      configuration: importConfigurationSchema,
      createdAt: isoTimeSchema,
    }),
  ),
  nextCursor,
});

/** `headers` and `mapping` are private: null for a member, and while the import has none. */
export const importDetailSchema = importStatusSchema.extend({
  headers: z.array(z.string()).nullable(),
  mapping: mappingSchema.nullable(),
  /** The digest that an approval names; null unless every row is valid. */
  validationDigest: sha256Schema.nullable(),
  /** The capabilities of its schema that have not ended. Without one, no backend can pull it. */
  capabilities: count,
  batches: z.array(
    z.strictObject({
      index: count,
      batchId: sha256Schema,
      rowCount: z.int().positive(),
      acknowledgedAt: isoTimeSchema.nullable(),
    }),
  ),
});

/** When an import reached its states, and the bytes that it consists of. */
export const importProvenanceSchema = z.strictObject({
  importId: importIdSchema,
  /** The SHA-256 of the file, which the approval binds. */
  sourceSha256: sha256Schema,
  reservedAt: isoTimeSchema,
  uploadedAt: isoTimeSchema.nullable(),
  /** When the validation ended; null without one, and for one from before this was kept. */
  validatedAt: isoTimeSchema.nullable(),
  approvedAt: isoTimeSchema.nullable(),
  /** When the last batch was acknowledged; null before. */
  deliveredAt: isoTimeSchema.nullable(),
});
