import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { EXAMPLES } from '../base/examples.ts';
import { idSchema } from '../base/ids.ts';
import { cursorSchema, nextCursorSchema, pageLimitSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { exampleSecret } from '../base/secrets.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { planSchema } from '../workspaces/lifecycle.ts';
import { changesSchema } from './changes.ts';
import { importConfigurationRequestSchema, importConfigurationSchema } from './configuration.ts';
import { importActorSchema, STORED_STATUSES } from './documents.ts';
import { FILE_SHA256, VALIDATION_DIGEST } from './example-import.ts';
import { errorCountSchema, fileFaultSchema } from './file-faults.ts';

import {
  approvedAt,
  batchCount,
  batchId,
  byteLength,
  count,
  expiresAt,
  importId,
  mappingRevision,
  marker,
  origin,
  revision,
  schemaId,
  schemaRevision,
  sha256,
  validationDigest,
} from './http-fields.ts';

/** The bodies of requests. */
export const configureRequestSchema = z
  .strictObject({
    version: marker('svcimport.configure.v1'),
    idempotencyKey: idempotencyKeySchema,
    configuration: importConfigurationRequestSchema,
  })
  .meta({
    id: 'ConfigureImportSchemaRequest',
    description: 'The configuration of an import schema.',
  });

/** The longest name that file systems in common use allow, in characters. */
const FILE_NAME_CHARACTERS_MAX = 255;

const sessionReserveFields = {
  version: marker('svcimport.upload.v1'),
  idempotencyKey: idempotencyKeySchema,
  fileName: textSchema({ min: 1, max: FILE_NAME_CHARACTERS_MAX }).optional().meta({
    description:
      'The name of the file. It is private like the cells: only owners and admins see it, in the console. A repeat replaces it.',
    example: 'orders-2026-09.csv',
  }),
  byteLength,
  sha256,
  changes: changesSchema
    .optional()
    .describe('The changes that you made to the file before. Approvers see them as your word.'),
};

/** The revision is the session's. */
export const sessionReserveRequestSchema = z.strictObject(sessionReserveFields).meta({
  id: 'ReserveSessionImportRequest',
  description: 'The file to be imported. The revision of the schema is that of the session.',
});

export const reserveRequestSchema = z
  .strictObject({
    ...sessionReserveFields,
    revision: revision.describe('The current revision of the schema.'),
  })
  .meta({
    id: 'ReserveImportRequest',
    description: 'The file to be imported. Its bytes follow in the upload.',
  });

export const validateRequestSchema = z
  .strictObject({
    version: marker('svcimport.validate.v1'),
    idempotencyKey: idempotencyKeySchema,
  })
  .meta({
    id: 'ValidateImportRequest',
    description: 'Starts a validation. A new key starts another one.',
  });

export const approveRequestSchema = z
  .strictObject({
    validationDigest: sha256Schema.meta({
      description: 'The digest that the import shows. Another validation has another one.',
      example: VALIDATION_DIGEST,
    }),
  })
  .meta({ id: 'ApproveImportRequest', description: 'Approves one exact validation.' });

export const eraseRequestSchema = z
  .strictObject({ confirm: importId.describe('The id of the import, as in the path.') })
  .meta({ id: 'EraseImportRequest', description: 'Confirms the erasure.' });

export const emptyRequestSchema = z
  .strictObject({})
  .meta({ id: 'EmptyRequest', description: 'An empty object.' });

/** Path and query parameters. */
export const listQuerySchema = z.strictObject({
  cursor: cursorSchema(z.string().regex(/^[0-9]{1,20}$/, 'expected the nextCursor of an earlier answer')),
  limit: pageLimitSchema,
});

export type ListQuery = z.infer<typeof listQuerySchema>;

export const importsQuerySchema = listQuerySchema.extend({
  schemaId: schemaId.optional(),
  status: z
    .enum([...STORED_STATUSES, 'expired'])
    .optional()
    .meta({ description: 'Only imports in this state.', example: 'ready' }),
});

/** Answers. */
export const schemaAnswerSchema = z
  .strictObject({
    schemaId,
    revision,
    configuration: importConfigurationSchema,
    createdAt: isoTimeSchema.describe('The time at which the revision was created.'),
  })
  .meta({ id: 'ImportSchema', description: 'An import schema in its current revision.' });

export const schemaListSchema = z
  .strictObject({
    schemas: z.array(
      z
        .strictObject({
          schemaId,
          name: z.string().meta({ example: 'Orders' }),
          revision,
          allowedOrigins: z.array(origin).describe('Origins of the pages that may import with this schema.'),
        })
        .meta({ id: 'ImportSchemaSummary', description: 'A schema as lists show it.' }),
    ),
    ...unreadableMember,
  })
  .meta({ id: 'ImportSchemaList', description: 'All import schemas.' });

export const reservationSchema = z
  .strictObject({
    importId,
    uploadUrl: z.url().meta({
      description: 'The address for the upload.',
      example: `https://ingest.example.com/v1/import/uploads/${EXAMPLES.importId}`,
    }),
    uploadToken: z.string().meta({
      description: 'The secret, for `Authorization: Bearer`.',
      get example() {
        return exampleSecret('upload');
      },
    }),
    expiresAt: isoTimeSchema.meta({
      description: 'The time at which the token ends. The same request then gets another one.',
      example: '2026-09-07T10:15:00.000Z',
    }),
  })
  .meta({
    id: 'ImportReservation',
    description: 'A reserved import and the right to upload its file.',
  });

const failure = fileFaultSchema
  .nullable()
  .meta({ description: 'The fault of the file as a whole, or null.', example: null });

export const uploadAnswerSchema = z
  .strictObject({
    importId,
    status: z.enum([...STORED_STATUSES, 'expired']).meta({
      description: 'The state of the import; `failed` if `failure` is not null.',
      example: 'uploaded',
    }),
    byteLength,
    sha256,
    failure,
  })
  .meta({ id: 'UploadedImport', description: 'The import after the upload of its file.' });

const usageSchema = z.strictObject({ used: count, limit: count }).meta({
  id: 'ImportUsage',
  description: 'A limit of one import, and its use so far.',
  example: { used: 1, limit: 5 },
});

/** The states that callers see. */
export const importStateSchema = z.enum([...STORED_STATUSES, 'expired', 'erased']).meta({
  id: 'ImportState',
  description:
    '`reserved` until the upload, `uploaded` and `validating` until the validation, then `ready` or `needs_correction`; `approved` until every batch is acknowledged, then `delivered`. `failed`, `cancelled`, `expired` and `erased` are final.',
  example: 'ready',
});

/** ImportStatus: what agents, MCP clients and people without private access see of an import. */
export const importStatusSchema = z
  .strictObject({
    importId,
    schemaId,
    schemaRevision,
    mappingRevision,
    status: importStateSchema,
    createdBy: importActorSchema,
    byteLength,
    rows: z
      .strictObject({
        total: count.meta({ description: 'All rows without the header.', example: 2 }),
        valid: count.meta({ example: 2 }),
        invalid: count.meta({ example: 0 }),
        blank: count.meta({ description: 'Empty lines. They are skipped.', example: 0 }),
      })
      .meta({
        id: 'ImportRowCounts',
        description: 'Rows of the file. `total` is the sum of the others.',
      }),
    progress: z
      .strictObject({
        done: count.meta({ description: 'Parts that are done.', example: 1 }),
        total: count.meta({ description: 'All parts; 0 until the file is split.', example: 1 }),
      })
      .meta({ id: 'ImportProgress', description: 'Parts of the file that are validated.' }),
    errorCounts: z.array(errorCountSchema).meta({
      description: 'Errors of rows by column and code, for the whole file.',
      example: [],
    }),
    validations: usageSchema.meta({
      example: { used: 1, limit: 5 },
    }),
    artifactBytes: usageSchema.meta({
      description: 'Bytes that validations have written.',
      example: { used: 512, limit: 16_777_216 },
    }),
    batchCount,
    acknowledgedBatches: count.meta({
      description:
        'Acknowledged batches of the current approval; without one, all batches that were acknowledged under an earlier one.',
      example: 0,
    }),
    approvedAt,
    approvedBy: importActorSchema.nullable().meta({
      description: 'The person or session that approved it; null without an approval.',
      example: null,
    }),
    uploadedAt: isoTimeSchema.nullable().describe('The time of the upload; null before.'),
    expiresAt,
    failure,
    changes: changesSchema
      .optional()
      .describe(
        'The changes that the sender says it made before the upload; absent if it named none. The service does not verify them.',
      ),
  })
  .meta({
    id: 'ImportStatus',
    description: 'The state and the counts of an import. It has no data of the file.',
  });

export const sessionImportSchema = importStatusSchema.extend({ validationDigest }).meta({
  id: 'SessionImport',
  description: 'An import as the browser session that made it sees it.',
});

export const bindingSchema = z
  .strictObject({
    importId,
    schemaId,
    schemaRevision,
    mappingRevision,
    sourceSha256: sha256Schema.meta({
      description: 'The SHA-256 of the file.',
      example: FILE_SHA256,
    }),
    validationDigest,
    batchIds: z.array(batchId).describe('The ids of the batches, in order.'),
  })
  .meta({
    id: 'ImportBinding',
    description: 'The digests that bind an approval to a file, a schema and a mapping.',
  });

/** The used amounts of the plan's limits. */
export const importLimitsSchema = z
  .strictObject({
    schemas: quotaSchema.describe('Import schemas ever created.'),
    imports: quotaSchema.describe(
      'Imports: of the preview, or of the calendar month of a claimed workspace.',
    ),
  })
  .meta({ id: 'ImportLimits', description: 'Limits of CSV import.' });

export const importProductSchema = z
  .strictObject({
    installationId: idSchema('installation'),
    product: z.literal('svcimport'),
    state: z
      .enum(['preview', 'active', 'paused', 'disconnected', 'expired'])
      .describe('The state of the workspace.'),
    plan: planSchema,
    limits: importLimitsSchema,
  })
  .meta({
    id: 'ImportProduct',
    description: 'The state and the limits of CSV import in a workspace.',
  });

export const importListSchema = z
  .strictObject({
    imports: z.array(importStatusSchema).describe('The imports, newest first.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'ImportList', description: 'One page of imports.' });
