import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { EXAMPLES } from '../base/examples.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { nextCursorSchema } from '../base/paging.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { importConfigurationSchema, mappingSchema } from './configuration.ts';
import { BATCH_ID, FILE_SHA256 } from './example-import.ts';
import { importStatusSchema, schemaAnswerSchema, sessionImportSchema } from './http.ts';

// Requests and answers that only people in the console have.

const count = z.int().nonnegative();
const SEARCH_CHARACTERS_MAX = 256;

/** A text to find in cells. It is private like the cells, so it is no part of an address. */
export const searchRowsRequestSchema = z
  .strictObject({
    contains: textSchema({ min: 1, max: SEARCH_CHARACTERS_MAX }).meta({
      description: 'The text. Upper and lower case are alike.',
      example: 'A-1',
    }),
  })
  .meta({ id: 'SearchImportRowsRequest', description: 'The text to find in cells.' });

const schemaSessionSchema = z
  .strictObject({
    capabilityId: idSchema('capability').describe('The capability that created it.'),
    origin: z.string().meta({
      description: 'The one page origin that may use the session.',
      example: EXAMPLES.origin,
    }),
    schemaRevision: z.int().positive().meta({
      description: 'The revision of the schema that imports of the session use.',
      example: 1,
    }),
    delegateApproval: z.boolean().describe('True if the session may approve its imports.'),
    expiresAt: isoTimeSchema.meta({ example: '2026-09-07T10:30:00.000Z' }),
    imports: count.meta({ description: 'The imports that it has reserved.', example: 1 }),
  })
  .meta({ id: 'ImportSchemaSession', description: 'A browser session that may still be used.' });

/** A schema as people of the organization see it. */
export const schemaDetailSchema = schemaAnswerSchema
  .extend({
    createdAt: isoTimeSchema.describe('The time at which the schema was created.'),
    revisedAt: isoTimeSchema.describe('The time at which the current revision was created.'),
    sessions: z
      .array(schemaSessionSchema)
      .nullable()
      .describe('Browser sessions that may still be used, oldest first; null for members.'),
  })
  .meta({
    id: 'ImportSchemaDetail',
    description: 'An import schema as people of the organization see it.',
  });

export const schemaRevisionListSchema = z
  .strictObject({
    revisions: z
      .array(
        z
          .strictObject({
            revision: z
              .int()
              .positive()
              .meta({ description: 'The number of the revision, from 1.', example: 1 }),
            configuration: importConfigurationSchema,
            createdAt: isoTimeSchema,
          })
          .meta({ id: 'ImportSchemaRevision', description: 'A revision of a schema.' }),
      )
      .describe('The revisions, newest first.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'ImportSchemaRevisionList', description: 'One page of revisions.' });

const batchSummarySchema = z
  .strictObject({
    index: count.meta({ description: 'The number of the batch, from 0.', example: 0 }),
    batchId: sha256Schema.meta({ example: BATCH_ID }),
    rowCount: z.int().positive().meta({ example: 2 }),
    acknowledgedAt: isoTimeSchema.nullable().meta({
      description: 'The time of the acknowledgment; null before.',
      example: null,
    }),
  })
  .meta({ id: 'ImportBatchSummary', description: 'A batch of the import.' });

/** An import in the list of a workspace. */
const workspaceImportSchema = importStatusSchema
  .extend({
    fileName: z.string().nullable().meta({
      description: 'The name of the file. It is private: null for members, and if the sender gave none.',
      example: 'orders-2026-09.csv',
    }),
  })
  .meta({ id: 'WorkspaceImport', description: 'An import in the list of its workspace.' });

export const workspaceImportListSchema = z
  .strictObject({
    imports: z.array(workspaceImportSchema).describe('The imports, newest first.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'WorkspaceImportList', description: 'One page of imports.' });

export const importDetailSchema = workspaceImportSchema
  .extend({
    validationDigest: sessionImportSchema.shape.validationDigest,
    headers: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'The names of the columns. They are private: null for members, and before the upload.',
        example: ['Code', 'Amount', 'Day'],
      }),
    mapping: mappingSchema
      .nullable()
      .describe('The mapping. It is private: null for members, and before the first one.'),
    capabilities: count.meta({
      description: 'The capabilities of its schema that have not ended. Without one, no backend can pull it.',
      example: 1,
    }),
    batches: z.array(batchSummarySchema).describe('The batches of the validated file.'),
  })
  .meta({ id: 'ImportDetail', description: 'An import as its owner sees it.' });

/** When an import reached its states, and the bytes that it consists of. */
export const importProvenanceSchema = z
  .strictObject({
    importId: importIdSchema,
    sourceSha256: sha256Schema.meta({
      description: 'The SHA-256 of the file, which the approval binds.',
      example: FILE_SHA256,
    }),
    reservedAt: isoTimeSchema,
    uploadedAt: isoTimeSchema.nullable().describe('The time of the upload; null before.'),
    validatedAt: isoTimeSchema.nullable().meta({
      description:
        'The time at which the validation ended; null without one. Validations of earlier versions have none.',
      example: EXAMPLES.later,
    }),
    approvedAt: isoTimeSchema
      .nullable()
      .meta({ description: 'The time of the approval; null without one.', example: null }),
    deliveredAt: isoTimeSchema.nullable().meta({
      description: 'The time at which the last batch was acknowledged; null before.',
      example: null,
    }),
  })
  .meta({
    id: 'ImportProvenance',
    description: 'The times at which an import reached its states.',
  });
