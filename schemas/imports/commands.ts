import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { originSchema } from '../base/origin.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleCommands } from '../workspaces/lifecycle.ts';
import { changesSchema } from './changes.ts';
import { columnMappingSchema, importConfigurationSchema } from './configuration.ts';
import { capabilityFields, partitionOutcomeSchema, uploadTokenSchema } from './documents.ts';
import { fileFaultSchema } from './file-faults.ts';
import { importStatusSchema, uploadAnswerSchema } from './http.ts';
import { partitionRangeSchema } from './work-items.ts';

const importId = importIdSchema;
const count = z.int().nonnegative();
const attemptFields = { importId, attempt: z.int().positive() };
const schemaFields = { schemaId: idSchema('schema'), configuration: importConfigurationSchema };

/** The result of configuring a schema. */
const configured = z.strictObject({
  schemaId: idSchema('schema'),
  revision: z.int().positive(),
  createdAt: epochMsSchema,
});

/**
 * Commands of the topic `imports`; the key is the installation. They carry ids, digests, column positions, byte ranges
 * and counts: no header name, no cell, no row id (infra/docs/decisions/0008-blobs-outside-topics.md).
 */
export const importsCommands = {
  ...lifecycleCommands,
  'create-schema': { input: z.strictObject(schemaFields), result: configured },
  /** The next revision of a schema. */
  'revise-schema': { input: z.strictObject(schemaFields), result: configured },
  'create-capability': {
    input: z.strictObject({
      capabilityId: idSchema('capability'),
      schemaId: idSchema('schema'),
      name: nameSchema,
      origin: originSchema,
      expiresInDays: z.int().positive(),
      delegateApproval: z.boolean(),
      digest: sha256Schema,
      last4: z.string().length(4),
    }),
    result: z.strictObject({
      capabilityId: idSchema('capability'),
      ...capabilityFields,
      createdAt: epochMsSchema,
      expiresAt: epochMsSchema,
    }),
  },
  /** A capability was used: sent at most once an hour by each gateway, without a waiter. */
  'capability-used': { input: z.strictObject({ capabilityId: idSchema('capability') }), result: noResult },
  'revoke-capability': {
    input: z.strictObject({
      schemaId: idSchema('schema'),
      capabilityId: idSchema('capability'),
    }),
    result: noResult,
  },
  /** From a capability: a session of its schema for one browser. */
  'mint-session': {
    input: z.strictObject({
      schemaId: idSchema('schema'),
      capabilityId: idSchema('capability'),
      digest: sha256Schema,
    }),
    result: z.strictObject({
      digest: sha256Schema,
      schemaRevision: z.int().positive(),
      origin: originSchema,
      delegateApproval: z.boolean(),
      expiresAt: epochMsSchema,
    }),
  },
  'reserve-import': {
    input: z.strictObject({
      importId,
      /** The digest of the browser session that reserves, or null. */
      session: sha256Schema.nullable(),
      schemaId: idSchema('schema'),
      revision: z.int().positive(),
      byteLength: count,
      sha256: sha256Schema,
      /** Absent if the sender named none. */
      changes: changesSchema.optional(),
      /** SHA-256 of the import's upload tokens number 1, 2, …: as many as there may be attempts. */
      tokenDigests: z.array(sha256Schema).min(1),
    }),
    result: z.strictObject({ importId, token: uploadTokenSchema }),
    decidesRepeats: true,
  },
  /** The announced bytes are in the blob `source`. */
  'import-uploaded': {
    input: z.strictObject({
      importId,
      source: z.string().min(1).max(80),
      /** The fault of the file as a whole that the upload finds, or null. */
      fault: fileFaultSchema.nullable(),
    }),
    result: uploadAnswerSchema,
  },
  'map-import': {
    input: z.strictObject({
      importId,
      revision: z.int().positive(),
      columns: z.array(columnMappingSchema).min(1),
      /** A keyed digest of the mapping as it was sent. */
      digest: sha256Schema,
      /** The name of the blob that holds it; absent in records from before names were random. */
      blob: z.string().min(1).max(80).optional(),
    }),
    result: importStatusSchema,
  },
  'validate-import': { input: z.strictObject({ importId }), result: importStatusSchema },
  /** From the splitter. */
  'split-finished': {
    input: z.strictObject({
      ...attemptFields,
      headerColumns: z.int().positive(),
      /** Every blank line of the file. */
      blank: count,
      partitions: z.array(partitionRangeSchema).min(1),
      /** An upper bound of the bytes of all artifacts. */
      artifactBytesBound: count,
    }),
    result: noResult,
  },
  'split-failed': { input: z.strictObject({ ...attemptFields, fault: fileFaultSchema }), result: noResult },
  /** From a validator. */
  'partition-validated': {
    input: z.strictObject({
      ...attemptFields,
      index: count,
      outcome: partitionOutcomeSchema,
    }),
    result: noResult,
  },
  /** From a worker whose item ended in the dead letters. */
  'work-failed': { input: z.strictObject(attemptFields), result: noResult },
  'approve-import': {
    input: z.strictObject({ importId, validationDigest: sha256Schema }),
    result: importStatusSchema,
  },
  'cancel-import': { input: z.strictObject({ importId }), result: importStatusSchema },
  'erase-import': { input: z.strictObject({ importId }), result: importStatusSchema },
  /** From the sweeper: this import seems to have ended. */
  'tidy-import': { input: z.strictObject({ importId }), result: noResult },
  /** From the sweeper: sessions or capabilities of this schema seem to have ended. */
  'tidy-schema': { input: z.strictObject({ schemaId: idSchema('schema') }), result: noResult },
  /** The partitions and batches of a validation of an import that has ended. */
  'forget-attempt': {
    input: z.strictObject({
      ...attemptFields,
      /** The largest number of them. */
      partitions: z.int().positive(),
    }),
    result: noResult,
  },
  'acknowledge-batch': {
    input: z.strictObject({
      importId,
      batchId: sha256Schema,
      /** SHA-256 of the sorted row ids that the caller accepted (`schemas/imports/identity.ts`). */
      ackDigest: sha256Schema,
    }),
    result: z.strictObject({
      importId,
      batchId: sha256Schema,
      acknowledgedAt: epochMsSchema,
      remainingBatches: count,
    }),
  },
} as const satisfies CommandTable;
