import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { EXAMPLES } from '../base/examples.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { pageOriginSchema } from '../base/origin.ts';
import { nextCursorSchema, queryNumberSchema } from '../base/paging.ts';
import { exampleSecret } from '../base/secrets.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { wireForms } from '../base/wire.ts';
import { fieldSchema } from './configuration.ts';
import { FIELDS, ROW_IDS } from './example-import.ts';
import { importStateSchema, importStatusSchema, listQuerySchema } from './http.ts';
import {
  approvedAt,
  batchCount,
  batchId,
  canonicalValueSchema,
  count,
  expiresAt,
  importId,
  mappingRevision,
  marker,
  origin,
  schemaId,
  schemaRevision,
  validationDigest,
} from './http-fields.ts';

export const mintRequestSchema = z
  .strictObject({ version: marker('svcimport.mint-session.v1') })
  .meta({ id: 'MintImportSessionRequest', description: 'Asks for a browser session.' });

const capabilityName = {
  description: 'A name to tell capabilities apart.',
  example: 'Backend',
};

const CAPABILITY_ORIGIN = 'The one page origin for which it can mint browser sessions.';

const delegateApproval = z.boolean().describe('True if browser sessions may approve imports.');

export const capabilityRequestSchema = z
  .strictObject({
    idempotencyKey: idempotencyKeySchema,
    name: nameSchema.meta(capabilityName),
    origin: pageOriginSchema.describe(CAPABILITY_ORIGIN),
    expiresInDays: z
      .int()
      .positive()
      .register(wireForms, { maximum: 'imports.capabilityDaysMax' })
      .meta({ description: 'Days until it ends.', example: 30 }),
    delegateApproval,
  })
  .meta({
    id: 'CreateCapabilityRequest',
    description: 'A capability for the backend of the customer.',
  });

export const acknowledgeRequestSchema = z
  .strictObject({
    version: marker('svcimport.acknowledge.v1'),
    importId: importId.describe('The import, as in the path.'),
    ack: z
      .strictObject({
        version: marker('svcimport.ack.v1'),
        batchId,
        status: z.literal('accepted'),
        acceptedRowIds: z.array(sha256Schema).meta({
          description: 'The ids of all rows of the batch, in any order.',
          example: ROW_IDS,
        }),
      })
      .meta({
        id: 'BatchAcknowledgment',
        description: 'A batch with every row that was applied.',
      }),
  })
  .meta({ id: 'AcknowledgeBatchRequest', description: 'The backend has applied a batch.' });

/** Seconds that a request may wait for an approval. */
export const WAIT_SECONDS_MAX = 25;

export const deliveriesQuerySchema = listQuerySchema.extend({
  wait: queryNumberSchema(0, WAIT_SECONDS_MAX)
    .optional()
    .transform((seconds) => seconds ?? 0)
    .meta({
      description:
        'Seconds to wait while the page is empty: the answer comes as soon as an import is approved, or empty at their end. At most four requests of a capability wait at once.',
      example: 25,
    }),
  filter: z
    .enum(['all', 'undelivered'])
    .optional()
    .transform((filter) => filter ?? 'all')
    .meta({
      description: '`undelivered`: only imports with batches that are still to be pulled and acknowledged.',
      example: 'undelivered',
    }),
});

export const batchQuerySchema = z.strictObject({
  index: queryNumberSchema(0).meta({ description: 'The number of the batch, from 0.', example: 0 }),
});

export const SESSION_VERSION = 'svcimport.session.v1';

const sessionBounds = {
  version: marker(SESSION_VERSION),
  workspaceId: idSchema('workspace'),
  schemaId,
  schemaRevision: schemaRevision.describe('The revision of the schema that imports of the session use.'),
  origin: origin.describe('The one page origin that may use the session.'),
  expiresAt: isoTimeSchema.meta({ example: '2026-09-07T10:30:00.000Z' }),
  maxBytes: z
    .int()
    .positive()
    .meta({ description: 'The largest file of the plan, in bytes.', example: 1_048_576 }),
  maxRows: z
    .int()
    .positive()
    .meta({ description: 'The largest number of data rows of the plan.', example: 1_000 }),
  approvalDelegated: z.boolean().describe('True if the session may approve its imports.'),
};

export const mintedSessionSchema = z
  .strictObject({
    ...sessionBounds,
    sessionToken: z.string().meta({
      description: 'The secret, for `Authorization: Bearer`.',
      get example() {
        return exampleSecret('import');
      },
    }),
    ingestOrigin: z.url().meta({
      description: 'The origin to which the browser sends its requests.',
      example: 'https://ingest.example.com',
    }),
  })
  .meta({
    id: 'MintedImportSession',
    description: 'A new browser session with its secret. Give it to the signed-in user only.',
  });

/** A browser session for the browser that holds it. */
export const sessionSchema = z
  .strictObject({
    ...sessionBounds,
    fields: z.array(fieldSchema).meta({ description: 'The fields to map columns to.', example: FIELDS }),
    imports: z.array(importStatusSchema).describe('The imports of the session, newest first.'),
    ...unreadableMember,
  })
  .meta({ id: 'ImportSession', description: 'A browser session as the browser sees it.' });

const deliveryEntrySchema = z
  .strictObject({
    importId,
    status: importStateSchema.meta({ example: 'approved' }),
    schemaRevision,
    rowCount: count.meta({ description: 'Rows in all batches.', example: 2 }),
    batchCount: batchCount.describe('Batches of the import.'),
    acknowledgedBatches: count.meta({
      description: 'Batches that were acknowledged.',
      example: 0,
    }),
    approvedAt: approvedAt.meta({ example: EXAMPLES.later }),
  })
  .meta({
    id: 'DeliverySummary',
    description: 'An import as the list of deliveries shows it.',
  });

export const deliveryListSchema = z
  .strictObject({
    imports: z.array(deliveryEntrySchema).describe('The imports, oldest approval first.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'DeliveryList', description: 'One page of imports to pull.' });

export const deliveryImportSchema = deliveryEntrySchema
  .extend({ mappingRevision, validationDigest, expiresAt })
  .meta({ id: 'Delivery', description: 'An import as the backend of the customer sees it.' });

const batchManifestSchema = z
  .strictObject({
    schemaId,
    schemaRevision: schemaRevision.describe('The revision of the schema.'),
    index: count.meta({ description: 'The number of the batch, from 0.', example: 0 }),
    firstRow: z.int().positive().meta({ description: 'The number of its first row.', example: 1 }),
    rowCount: z.int().positive().meta({ example: 2 }),
    rowIds: z.array(sha256Schema).meta({ description: 'The ids of its rows, in order.', example: ROW_IDS }),
  })
  .meta({
    id: 'ImportBatchManifest',
    description: 'Everything from which the id of the batch is computed.',
  });

const batchRowSchema = z
  .strictObject({
    rowId: sha256Schema.meta({
      description: 'A digest of the schema, the number and the values of the row.',
      example: ROW_IDS[0],
    }),
    row: z.int().positive().meta({
      description: 'The number of the row, from 1, without header and blank lines.',
      example: 1,
    }),
    values: z.record(z.string(), canonicalValueSchema).meta({
      description: 'The values by the key of their field; null for an empty cell.',
      example: { code: 'A-1', amount: '12.50', ordered: '2026-01-31' },
    }),
  })
  .meta({ id: 'ImportBatchRow', description: 'A row of a batch.' });

export const batchAnswerSchema = z
  .strictObject({
    version: marker('svcimport.batch.v1'),
    importId,
    index: batchManifestSchema.shape.index,
    batchId: batchId.describe('A digest of the manifest. Apply a batch once for each id.'),
    manifest: batchManifestSchema,
    rows: z.array(batchRowSchema).meta({
      example: [
        { rowId: ROW_IDS[0], row: 1, values: { code: 'A-1', amount: '12.50', ordered: '2026-01-31' } },
        { rowId: ROW_IDS[1], row: 2, values: { code: 'A-2', amount: '7', ordered: null } },
      ],
    }),
    nextIndex: count.nullable().meta({
      description: 'The number of the next batch; null on the last one.',
      example: null,
    }),
  })
  .meta({ id: 'ImportBatch', description: 'A batch of rows.' });

export const acknowledgedSchema = z
  .strictObject({
    version: marker('svcimport.acknowledged.v1'),
    importId,
    batchId,
    status: z.literal('accepted'),
    acknowledgedAt: isoTimeSchema.meta({
      description: 'The time of the first acknowledgment.',
      example: EXAMPLES.later,
    }),
    remainingBatches: count.meta({
      description: 'Batches of the import that are not acknowledged yet.',
      example: 0,
    }),
  })
  .meta({ id: 'AcknowledgedBatch', description: 'The acknowledgment is stored.' });

const capabilitySchema = z
  .strictObject({
    capabilityId: idSchema('capability'),
    name: z.string().meta(capabilityName),
    origin: origin.describe(CAPABILITY_ORIGIN),
    delegateApproval,
    last4: z
      .string()
      .length(4)
      .meta({
        description: 'The last four characters of the secret, to tell one from another.',
        get example() {
          return exampleSecret('capability').slice(-4);
        },
      }),
    createdAt: isoTimeSchema,
    expiresAt: isoTimeSchema.meta({ example: '2026-10-07T10:00:00.000Z' }),
    revokedAt: isoTimeSchema
      .nullable()
      .meta({ description: 'The time of the revocation; null while it is in force.', example: null }),
    lastUsedAt: isoTimeSchema.nullable().meta({
      description: 'The time of the latest use; null before the first one.',
      example: null,
    }),
  })
  .meta({ id: 'ImportCapabilitySummary', description: 'A capability without its secret.' });

export const capabilityListSchema = z
  .strictObject({
    capabilities: z.array(capabilitySchema),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'ImportCapabilityList', description: 'One page of capabilities.' });

export const capabilityAnswerSchema = capabilitySchema
  .extend({
    capability: z
      .string()
      .nullable()
      .meta({
        description:
          'The secret, for `Authorization: Bearer`. Only the first answer has it; a repeat has null.',
        get example() {
          return exampleSecret('capability');
        },
      }),
  })
  .meta({ id: 'ImportCapability', description: 'A new capability with its secret.' });
