import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { pageOriginSchema } from '../base/origin.ts';
import { pageLimitSchema, queryNumberSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { wireForms } from '../base/wire.ts';
import { planSchema } from '../workspaces/lifecycle.ts';
import { fieldSchema, importConfigurationRequestSchema, importConfigurationSchema } from './configuration.ts';
import { importActorSchema, STORED_STATUSES } from './documents.ts';
import { errorCountSchema, fileFaultSchema, ROW_ERROR_CODES } from './file-faults.ts';

const count = z.int().nonnegative();
const FIELD_KEY_CHARACTERS_MAX = 64;
const nextCursor = z.string().nullable();
const canonicalValueSchema = z.union([z.string(), z.boolean(), z.null()]);

/** The bodies of requests. */
export const configureRequestSchema = z.strictObject({
  version: z.literal('svcimport.configure.v1'),
  idempotencyKey: idempotencyKeySchema,
  configuration: importConfigurationRequestSchema,
});

export const reserveRequestSchema = z.strictObject({
  version: z.literal('svcimport.upload.v1'),
  idempotencyKey: idempotencyKeySchema,
  revision: z.int().positive(),
  byteLength: count,
  sha256: sha256Schema,
});

export const validateRequestSchema = z.strictObject({
  version: z.literal('svcimport.validate.v1'),
  idempotencyKey: idempotencyKeySchema,
});

export const approveRequestSchema = z.strictObject({ validationDigest: sha256Schema });

export const mintRequestSchema = z.strictObject({ version: z.literal('svcimport.mint-session.v1') });

/** The revision is the session's. */
export const sessionReserveRequestSchema = reserveRequestSchema.omit({ revision: true });

/** `confirm` repeats the import's id. */
export const eraseRequestSchema = z.strictObject({ confirm: importIdSchema });

export const emptyRequestSchema = z.strictObject({});

export const capabilityRequestSchema = z.strictObject({
  idempotencyKey: idempotencyKeySchema,
  name: nameSchema,
  origin: pageOriginSchema,
  expiresInDays: z.int().positive().register(wireForms, { maximum: 'imports.capabilityDaysMax' }),
  delegateApproval: z.boolean(),
});

export const acknowledgeRequestSchema = z.strictObject({
  version: z.literal('svcimport.acknowledge.v1'),
  importId: importIdSchema,
  ack: z.strictObject({
    version: z.literal('svcimport.ack.v1'),
    batchId: sha256Schema,
    status: z.literal('accepted'),
    acceptedRowIds: z.array(sha256Schema),
  }),
});

/** Path and query parameters. */
export const installationParamsSchema = z.strictObject({ installationId: idSchema('installation') });
export const installationSchemaParamsSchema = installationParamsSchema.extend({
  schemaId: idSchema('schema'),
});
export const installationImportParamsSchema = installationParamsSchema.extend({ importId: importIdSchema });
export const uploadParamsSchema = z.strictObject({ importId: importIdSchema });
export const deliveryParamsSchema = z.strictObject({
  workspaceId: idSchema('workspace'),
  schemaId: idSchema('schema'),
});
export const deliveryImportParamsSchema = deliveryParamsSchema.extend({ importId: importIdSchema });
export const workspaceParamsSchema = z.strictObject({ workspaceId: idSchema('workspace') });
export const workspaceSchemaParamsSchema = workspaceParamsSchema.extend({ schemaId: idSchema('schema') });
export const workspaceCapabilityParamsSchema = workspaceSchemaParamsSchema.extend({
  capabilityId: idSchema('capability'),
});
export const workspaceImportParamsSchema = workspaceParamsSchema.extend({ importId: importIdSchema });

/** `cursor` and `limit` of every list. */
export const listQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^[0-9]{1,20}$/, 'expected the nextCursor of an earlier answer')
    .optional(),
  limit: pageLimitSchema,
});

export type ListQuery = z.infer<typeof listQuerySchema>;

export const importsQuerySchema = listQuerySchema.extend({
  schemaId: idSchema('schema').optional(),
  status: z.enum([...STORED_STATUSES, 'expired']).optional(),
});

export const deliveriesQuerySchema = listQuerySchema.extend({
  /** `undelivered`: only imports that still have batches to be pulled and acknowledged. */
  filter: z
    .enum(['all', 'undelivered'])
    .optional()
    .transform((filter) => filter ?? 'all'),
});

export const rowsQuerySchema = listQuerySchema.extend({
  filter: z
    .enum(['all', 'valid', 'invalid'])
    .optional()
    .transform((filter) => filter ?? 'all'),
  /** Only rows with an error in this column. */
  field: textSchema({ max: FIELD_KEY_CHARACTERS_MAX }).optional(),
  /** Only rows with an error of this code. */
  code: z.enum(ROW_ERROR_CODES).optional(),
});

export type RowsQuery = z.infer<typeof rowsQuerySchema>;

export const batchQuerySchema = z.strictObject({ index: queryNumberSchema(0) });

/** Answers. */
export const schemaAnswerSchema = z.strictObject({
  schemaId: idSchema('schema'),
  revision: z.int().positive(),
  configuration: importConfigurationSchema,
  createdAt: isoTimeSchema,
});

export const schemaListSchema = z.strictObject({
  schemas: z.array(
    z.strictObject({
      schemaId: idSchema('schema'),
      name: z.string(),
      revision: z.int().positive(),
      allowedOrigins: z.array(z.string()),
    }),
  ),
});

export const reservationSchema = z.strictObject({
  importId: importIdSchema,
  uploadUrl: z.url(),
  uploadToken: z.string(),
  expiresAt: isoTimeSchema,
});

export const uploadAnswerSchema = z.strictObject({
  importId: importIdSchema,
  status: z.enum([...STORED_STATUSES, 'expired']),
  byteLength: count,
  sha256: sha256Schema,
  /** The fault of the file as a whole, or null. */
  failure: fileFaultSchema.nullable(),
});

const used = z.strictObject({ used: count, limit: count });

/** ImportStatus: what agents, MCP clients and people without private access see of an import. */
export const importStatusSchema = z.strictObject({
  importId: importIdSchema,
  schemaId: idSchema('schema'),
  schemaRevision: z.int().positive(),
  mappingRevision: z.int().positive().nullable(),
  status: z.enum([...STORED_STATUSES, 'expired', 'erased']),
  createdBy: importActorSchema,
  byteLength: count,
  rows: z.strictObject({ total: count, valid: count, invalid: count, blank: count }),
  progress: z.strictObject({ done: count, total: count }),
  errorCounts: z.array(errorCountSchema),
  validations: used,
  artifactBytes: used,
  batchCount: count,
  /** Of the approval that holds; while none holds, every batch that was acknowledged under an earlier one. */
  acknowledgedBatches: count,
  approvedAt: isoTimeSchema.nullable(),
  approvedBy: importActorSchema.nullable(),
  uploadedAt: isoTimeSchema.nullable(),
  expiresAt: isoTimeSchema,
  failure: fileFaultSchema.nullable(),
});

export const SESSION_VERSION = 'svcimport.session.v1';

const sessionBounds = {
  version: z.literal(SESSION_VERSION),
  workspaceId: idSchema('workspace'),
  schemaId: idSchema('schema'),
  schemaRevision: z.int().positive(),
  /** The one page origin that may use the session. */
  origin: z.string(),
  expiresAt: isoTimeSchema,
  /** The plan's limits for a file. */
  maxBytes: z.int().positive(),
  maxRows: z.int().positive(),
  approvalDelegated: z.boolean(),
};

/** A browser session for the customer's backend, which hands it to its signed-in user only. */
export const mintedSessionSchema = z.strictObject({
  ...sessionBounds,
  sessionToken: z.string(),
  /** The address for the browser's requests. */
  ingestOrigin: z.url(),
});

/** A browser session for the browser that holds it. */
export const sessionSchema = z.strictObject({
  ...sessionBounds,
  fields: z.array(fieldSchema),
  /** The imports that the session has made, newest first. */
  imports: z.array(importStatusSchema),
});

/** The start of a file, for mapping its columns. */
export const sourceSampleSchema = z.strictObject({
  headers: z.array(z.string()),
  /** Rows as they stand in the file; null for a record too large to be decoded. */
  sample: z.array(z.array(z.string()).nullable()),
});

/** An import for the browser session that made it. */
export const sessionImportSchema = importStatusSchema.extend({
  /** The digest that an approval names; null unless every row is valid. */
  validationDigest: sha256Schema.nullable(),
});

export const bindingSchema = z.strictObject({
  importId: importIdSchema,
  schemaId: idSchema('schema'),
  schemaRevision: z.int().positive(),
  mappingRevision: z.int().positive().nullable(),
  sourceSha256: sha256Schema,
  validationDigest: sha256Schema.nullable(),
  batchIds: z.array(sha256Schema),
});

export const importProductSchema = z.strictObject({
  installationId: idSchema('installation'),
  product: z.literal('svcimport'),
  state: z.enum(['preview', 'active', 'paused', 'disconnected', 'expired']),
  plan: planSchema,
  limits: z.strictObject({ schemas: quotaSchema, imports: quotaSchema }),
});

const deliveryEntrySchema = z.strictObject({
  importId: importIdSchema,
  status: importStatusSchema.shape.status,
  schemaRevision: z.int().positive(),
  rowCount: count,
  batchCount: count,
  acknowledgedBatches: count,
  approvedAt: isoTimeSchema.nullable(),
});

export const deliveryListSchema = z.strictObject({ imports: z.array(deliveryEntrySchema), nextCursor });

export const deliveryImportSchema = deliveryEntrySchema.extend({
  mappingRevision: z.int().positive().nullable(),
  validationDigest: sha256Schema.nullable(),
  expiresAt: isoTimeSchema,
});

export const batchAnswerSchema = z.strictObject({
  version: z.literal('svcimport.batch.v1'),
  importId: importIdSchema,
  index: count,
  batchId: sha256Schema,
  manifest: z.strictObject({
    schemaId: idSchema('schema'),
    schemaRevision: z.int().positive(),
    index: count,
    firstRow: z.int().positive(),
    rowCount: z.int().positive(),
    rowIds: z.array(sha256Schema),
  }),
  rows: z.array(
    z.strictObject({
      rowId: sha256Schema,
      row: z.int().positive(),
      values: z.record(z.string(), canonicalValueSchema),
    }),
  ),
  nextIndex: count.nullable(),
});

export const acknowledgedSchema = z.strictObject({
  version: z.literal('svcimport.acknowledged.v1'),
  importId: importIdSchema,
  batchId: sha256Schema,
  status: z.literal('accepted'),
  acknowledgedAt: isoTimeSchema,
  remainingBatches: count,
});

const capabilitySchema = z.strictObject({
  capabilityId: idSchema('capability'),
  name: z.string(),
  origin: z.string(),
  delegateApproval: z.boolean(),
  last4: z.string().length(4),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
  revokedAt: isoTimeSchema.nullable(),
  lastUsedAt: isoTimeSchema.nullable(),
});

export const capabilityListSchema = z.strictObject({ capabilities: z.array(capabilitySchema), nextCursor });

/** The secret is shown once: a repeat of the request answers null in its place. */
export const capabilityAnswerSchema = capabilitySchema.extend({ capability: z.string().nullable() });

export const importListSchema = z.strictObject({ imports: z.array(importStatusSchema), nextCursor });

const rowFaultSchema = z.strictObject({
  column: z.string().nullable(),
  code: z.enum(ROW_ERROR_CODES),
  message: z.string(),
});

export const rowListSchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      row: z.int().positive(),
      line: z.int().positive(),
      /** The cells as they stand in the file; null for a record too large to be decoded. */
      source: z.array(z.string()).nullable(),
      /** The canonical values by field; null for an invalid row. */
      values: z.record(z.string(), canonicalValueSchema).nullable(),
      /** In schema-field order; at least one for an invalid row. */
      errors: z.array(rowFaultSchema),
      /** Further errors of the row, which are only counted. */
      moreErrors: count,
    }),
  ),
  nextCursor,
});

export type RowList = z.infer<typeof rowListSchema>;

export const errorListSchema = z.strictObject({
  errors: z.array(
    z.strictObject({
      row: z.int().positive(),
      line: z.int().positive(),
      column: z.string().nullable(),
      /** The header name of the column, and the cell; null where the error is about the whole record. */
      source: z.string().nullable(),
      value: z.string().nullable(),
      code: z.enum(ROW_ERROR_CODES),
      message: z.string(),
    }),
  ),
  counts: z.array(errorCountSchema),
  /** All errors of the file; the list holds the first ones only. */
  total: count,
  nextCursor,
});

export type ErrorList = z.infer<typeof errorListSchema>;
