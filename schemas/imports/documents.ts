import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { hourlyCountsSchema } from '../base/hourly-counts.ts';
import { exampleId, idSchema, importIdSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { originSchema } from '../base/origin.ts';
import { monthUseSchema } from '../base/quota.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';
import { changesSchema } from './changes.ts';
import { columnMappingSchema, importConfigurationSchema } from './configuration.ts';
import { errorCountSchema, fileFaultSchema } from './file-faults.ts';
import { partitionRangeSchema } from './work-items.ts';

const count = z.int().nonnegative();

/** The actor that made or approved an import. The id is a credential's, a capability's (for a session) or a user's. */
export const importActorSchema = z
  .strictObject({
    kind: z.enum(['agent', 'session', 'user']),
    id: z.string().meta({
      description: 'The id of the actor. It is not secret.',
      get example() {
        return exampleId('credential');
      },
    }),
  })
  .meta({ id: 'ImportActor', description: 'The agent, browser session or person that acted.' });

export type ImportActor = z.infer<typeof importActorSchema>;

/** Root document of the table `imports`. The aggregate's id is the installation's. */
export const importsRootSchema = z.strictObject({
  /** The last known state of the workspace (ARCHITECTURE.md, rule 7); null before the first one. */
  lifecycle: lifecycleSchema.nullable(),
  /** Schemas ever made. */
  schemasMade: count,
  /** Imports ever reserved. Charged before the work and never refunded. */
  importsMade: count,
  /** The same in the latest UTC month of a claimed workspace; null while it is a preview. */
  importsInMonth: monthUseSchema,
  /** Reserved imports by hour; absent before the first one. */
  activity: hourlyCountsSchema.optional(),
  /** The one validation of the installation that may run. */
  validationSlot: z
    .strictObject({ importId: importIdSchema, attempt: z.int().positive(), leaseUntil: epochMsSchema })
    .nullable(),
});

export type ImportsRoot = z.infer<typeof importsRootSchema>;

/** The root before anything was folded. */
export const EMPTY_IMPORTS_ROOT: ImportsRoot = {
  lifecycle: null,
  schemasMade: 0,
  importsMade: 0,
  importsInMonth: null,
  validationSlot: null,
};

/** Row kind `schema`, id: the schema's. */
export const schemaDocumentSchema = z.strictObject({
  name: z.string(),
  /** The current revision. */
  revision: z.int().positive(),
  allowedOrigins: z.array(originSchema),
  createdAt: epochMsSchema,
  updatedAt: epochMsSchema,
  /** Capabilities that are not revoked, each with its own end; ended ones leave when the next one is made. */
  capabilities: z.array(z.strictObject({ capabilityId: idSchema('capability'), endsAt: epochMsSchema })),
});

export type SchemaDocument = z.infer<typeof schemaDocumentSchema>;

/** Row kind `schema-revision`, id: {@link schemaRevisionRowId}. Never changed. */
export const schemaRevisionDocumentSchema = z.strictObject({
  configuration: importConfigurationSchema,
  /** SHA-256 over the canonical JSON of the configuration. */
  digest: sha256Schema,
  createdAt: epochMsSchema,
});

/** The members of a capability that its creator chooses, and what is kept of its secret. */
export const capabilityFields = {
  name: nameSchema,
  origin: originSchema,
  delegateApproval: z.boolean(),
  /** SHA-256 of the secret (`svc_capability_…`). */
  digest: sha256Schema,
  last4: z.string().length(4),
};

/** Row kind `capability`, id: the capability's. */
const capabilityDocumentSchema = z.strictObject({
  schemaId: idSchema('schema'),
  ...capabilityFields,
  createdAt: epochMsSchema,
  /** Its own end; while the workspace is a preview, the preview's end bounds it. */
  endsAt: epochMsSchema,
  revokedAt: epochMsSchema.nullable(),
  lastUsedAt: epochMsSchema.nullable(),
});

export type CapabilityDocument = z.infer<typeof capabilityDocumentSchema>;

/** Row kind `capability-order`, id: {@link orderedRowId} under the schema: capabilities in the order they were made. */
const capabilityOrderDocumentSchema = z.strictObject({ capabilityId: idSchema('capability') });

/**
 * A browser session that may still be used (infra/docs/reference/imports.md#capabilities-and-browser-sessions). Its
 * bindings never change.
 */
const importSessionSchema = z.strictObject({
  /** SHA-256 of its token (`svc_import_…`). */
  digest: sha256Schema,
  capabilityId: idSchema('capability'),
  schemaRevision: z.int().positive(),
  origin: originSchema,
  delegateApproval: z.boolean(),
  /** Its own end; while the workspace is a preview, the preview's end bounds it. */
  endsAt: epochMsSchema,
  /** The imports that it has reserved, and so may use. */
  imports: z.array(importIdSchema),
});

export type ImportSession = z.infer<typeof importSessionSchema>;

/**
 * Row kind `schema-sessions`, id: the schema's. Lists the browser sessions of the schema, oldest first; a session is
 * valid if it is listed and has not ended. A revocation removes the sessions of its capability, a new revision all of
 * them, and the next mint the ended ones.
 */
export const schemaSessionsDocumentSchema = z.strictObject({ sessions: z.array(importSessionSchema) });

export type SchemaSessionsDocument = z.infer<typeof schemaSessionsDocumentSchema>;

/** The browser session that made an import: only that one may use it, and only from that origin. */
const owningSessionSchema = z.strictObject({ digest: sha256Schema, origin: originSchema });

/** The statuses that are stored. `expired` is computed, never stored. */
export const STORED_STATUSES = [
  'reserved',
  'uploaded',
  'validating',
  'ready',
  'needs_correction',
  'approved',
  'delivered',
  'failed',
  'cancelled',
] as const;

export type StoredStatus = (typeof STORED_STATUSES)[number];

/** The upload token that was handed out last. */
export const uploadTokenSchema = z.strictObject({
  /** From 1: which of the import's tokens it is. */
  number: z.int().positive(),
  digest: sha256Schema,
  endsAt: epochMsSchema,
});

export type UploadToken = z.infer<typeof uploadTokenSchema>;

/** The latest validation as far as it has come. Results of another attempt are dropped. */
const validationSchema = z.strictObject({
  attempt: z.int().positive(),
  /** The result of the split; null until it has ended. */
  split: z
    .strictObject({ headerColumns: z.int().positive(), blank: count, partitions: z.int().positive() })
    .nullable(),
  /** Partitions whose result is there. */
  done: count,
  valid: count,
  invalid: count,
  /** Every row error by column and code, once all partitions are done. */
  errorCounts: z.array(errorCountSchema),
  /** The digest that an approval names; null unless every row is valid. */
  digest: sha256Schema.nullable(),
  /** Batches of this validation that were acknowledged under an earlier approval; absent: none. */
  acknowledged: count.optional(),
  /** When the last partition's result was counted; absent before, and in what was stored before this was kept. */
  endedAt: epochMsSchema.optional(),
});

export type Validation = z.infer<typeof validationSchema>;

/** An approval that was given. It holds as long as its attempt is the import's validation. */
const approvalSchema = z.strictObject({
  attempt: z.int().positive(),
  digest: sha256Schema,
  approvedAt: epochMsSchema,
  approvedBy: importActorSchema,
  batchCount: z.int().positive(),
  /** Batches that the customer's backend has acknowledged. */
  acknowledged: count,
  /** The id of its row of kind `delivery`. */
  deliveryId: z.string(),
});

export type Approval = z.infer<typeof approvalSchema>;

/** Row kind `import`, id: the import's. Small: it is written with every partition's result. */
export const importDocumentSchema = z.strictObject({
  schemaId: idSchema('schema'),
  schemaRevision: z.int().positive(),
  createdBy: importActorSchema,
  /** Null for an import that an agent made. */
  session: owningSessionSchema.nullable(),
  createdAt: epochMsSchema,
  /** The id of its row of kind `timeline`. */
  timelineId: z.string(),
  /** Announced at the reservation; the uploaded bytes match both. */
  byteLength: count,
  sha256: sha256Schema,
  /** The changes that the sender named at the reservation; absent without any. */
  changes: changesSchema.optional(),
  status: z.enum(STORED_STATUSES),
  /** Its own end: from the upload, or before that from the reservation. A preview's end bounds it. */
  retainedUntil: epochMsSchema,
  uploadToken: uploadTokenSchema,
  source: z.strictObject({ name: z.string(), uploadedAt: epochMsSchema }).nullable(),
  /** 0 before the first mapping. */
  mappingRevision: count,
  /** Validations ever started. */
  validations: count,
  /** Artifact bytes reserved by all validations together, never given back. */
  artifactBytes: count,
  /** Artifact bytes that one validation of these bytes reserves; absent before the first split. */
  artifactCharge: count.optional(),
  validation: validationSchema.nullable(),
  /** Every approval ever given, the latest last: what was once approved can still be acknowledged. */
  approvals: z.array(approvalSchema),
  /** Batches ever acknowledged, each counted once, under whichever approval; absent before the first one. */
  acceptedBatches: count.optional(),
  failure: fileFaultSchema.nullable(),
  /** The time after its end at which everything unreadable was removed; null before. */
  tidiedAt: epochMsSchema.nullable(),
});

export type ImportDocument = z.infer<typeof importDocumentSchema>;

/** The members of an import before its file has arrived. */
export const WITHOUT_FILE = {
  source: null,
  mappingRevision: 0,
  validations: 0,
  artifactBytes: 0,
  validation: null,
  approvals: [],
  failure: null,
  tidiedAt: null,
} satisfies Partial<ImportDocument>;

/**
 * Row kind `erased-import`, id: the import's. The only row that stays of an erased import, as proof that it existed.
 */
const erasedImportDocumentSchema = z.strictObject({
  schemaId: idSchema('schema'),
  session: owningSessionSchema.nullable(),
  erasedAt: epochMsSchema,
});

/** Row kind `timeline`, id: {@link orderedRowId}: imports in the order of their reservations. */
export const timelineDocumentSchema = z.strictObject({
  importId: importIdSchema,
  schemaId: idSchema('schema'),
});

/** Row kind `delivery`, id: {@link orderedRowId} under the schema: imports in the order of their approvals. */
const deliveryDocumentSchema = z.strictObject({ importId: importIdSchema });

/**
 * Row kind `mapping`, id: {@link mappingRowId}. Header names are private: they are in the blob that `mappingBlob` names.
 * Here is only a keyed digest of them.
 */
export const mappingDocumentSchema = z.strictObject({
  columns: z.array(columnMappingSchema),
  digest: sha256Schema,
  /** The name of its blob; absent in what was stored before names were random. */
  blob: z.string().optional(),
  createdAt: epochMsSchema,
});

export type MappingDocument = z.infer<typeof mappingDocumentSchema>;

/** The result of validating one partition. */
export const partitionOutcomeSchema = z.strictObject({
  valid: count,
  invalid: count,
  errorCounts: z.array(errorCountSchema),
  /** The batch's identity; null unless every row is valid. */
  batchId: sha256Schema.nullable(),
  /** The digest that acknowledges the whole batch; null with `batchId`. */
  ackDigest: sha256Schema.nullable(),
});

export type PartitionOutcome = z.infer<typeof partitionOutcomeSchema>;

/** Row kind `partition`, id: {@link partitionRowId}. */
const partitionDocumentSchema = z.strictObject({
  range: partitionRangeSchema,
  outcome: partitionOutcomeSchema.nullable(),
  /** An acknowledgment belongs to the batch: every partition that gave the same batch has the same one. */
  acknowledgedAt: epochMsSchema.nullable(),
  /** The `remainingBatches` of the first answer to that acknowledgment, which repeats get as well. */
  remainingBatches: count.optional(),
});

export type PartitionDocument = z.infer<typeof partitionDocumentSchema>;

/** Row kind `batch`, id: {@link batchRowId}: where a batch that a customer names is found. */
const batchDocumentSchema = z.strictObject({
  index: count,
  /** The attempts whose partition of that index gave this batch. */
  attempts: z.array(z.int().positive()),
});

export type BatchDocument = z.infer<typeof batchDocumentSchema>;

export const importsRowSchemas = {
  schema: schemaDocumentSchema,
  'schema-revision': schemaRevisionDocumentSchema,
  capability: capabilityDocumentSchema,
  'capability-order': capabilityOrderDocumentSchema,
  'schema-sessions': schemaSessionsDocumentSchema,
  import: importDocumentSchema,
  'erased-import': erasedImportDocumentSchema,
  timeline: timelineDocumentSchema,
  delivery: deliveryDocumentSchema,
  mapping: mappingDocumentSchema,
  partition: partitionDocumentSchema,
  batch: batchDocumentSchema,
} as const;

export type ImportsRows = {
  [Kind in keyof typeof importsRowSchemas]: z.infer<(typeof importsRowSchemas)[Kind]>;
};

/** Target of a look-up of kind `capability`. */
export const capabilityTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  capabilityId: idSchema('capability'),
});

/** Target of a look-up of kind `import-session`. */
export const importSessionTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  schemaId: idSchema('schema'),
});

/** Target of a look-up of kind `upload-token`. */
export const uploadTokenTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  importId: importIdSchema,
  number: z.int().positive(),
});
