import { z } from 'zod';
import { type CommandOf, undeclaredResults } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { eraseRowsSchema } from '../base/erasure.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { originSchema } from '../base/origin.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';
import { columnMappingSchema, importConfigurationSchema } from './configuration.ts';
import { partitionOutcomeSchema } from './documents.ts';
import { fileFaultSchema } from './file-faults.ts';
import { partitionRangeSchema } from './work.ts';

const importId = importIdSchema;
const count = z.int().nonnegative();
const attemptFields = { importId, attempt: z.int().positive() };
const schemaFields = { schemaId: idSchema('schema'), configuration: importConfigurationSchema };

/**
 * Commands of the topic `imports`; the key is the installation. They carry ids, digests, column positions, byte ranges
 * and counts: no header name, no cell, no row id (infra/docs/decisions/0008-blobs-outside-topics.md).
 */
export const importsCommands = undeclaredResults(
  {
    /** From the workspace: what it is now. */
    lifecycle: lifecycleSchema,
    'erase-rows': eraseRowsSchema,
    'create-schema': z.strictObject(schemaFields),
    /** The next revision of a schema. */
    'revise-schema': z.strictObject(schemaFields),
    'create-capability': z.strictObject({
      capabilityId: idSchema('capability'),
      schemaId: idSchema('schema'),
      name: nameSchema,
      origin: originSchema,
      expiresInDays: z.int().positive(),
      delegateApproval: z.boolean(),
      digest: sha256Schema,
      last4: z.string().length(4),
    }),
    /** A capability was used: sent at most once an hour by each gateway, and nobody waits for it. */
    'capability-used': z.strictObject({ capabilityId: idSchema('capability') }),
    'revoke-capability': z.strictObject({
      schemaId: idSchema('schema'),
      capabilityId: idSchema('capability'),
    }),
    /** From a capability: a session of its schema for one browser. */
    'mint-session': z.strictObject({
      schemaId: idSchema('schema'),
      capabilityId: idSchema('capability'),
      digest: sha256Schema,
    }),
    'reserve-import': z.strictObject({
      importId,
      /** The digest of the browser session that reserves, or null. */
      session: sha256Schema.nullable(),
      schemaId: idSchema('schema'),
      revision: z.int().positive(),
      byteLength: count,
      sha256: sha256Schema,
      /** SHA-256 of the import's upload tokens number 1, 2, …: as many as there may be attempts. */
      tokenDigests: z.array(sha256Schema).min(1),
    }),
    /** The announced bytes are in the blob `source`. */
    'import-uploaded': z.strictObject({
      importId,
      source: z.string().min(1).max(80),
      /** What is wrong with the file as a whole, as far as the upload looks, or null. */
      fault: fileFaultSchema.nullable(),
    }),
    'map-import': z.strictObject({
      importId,
      revision: z.int().positive(),
      columns: z.array(columnMappingSchema).min(1),
      /** A keyed digest of the mapping as it was sent. */
      digest: sha256Schema,
      /** The name of the blob that holds it; absent in records from before names were random. */
      blob: z.string().min(1).max(80).optional(),
    }),
    'validate-import': z.strictObject({ importId }),
    /** From the splitter. */
    'split-finished': z.strictObject({
      ...attemptFields,
      headerColumns: z.int().positive(),
      /** Every blank line of the file. */
      blank: count,
      partitions: z.array(partitionRangeSchema).min(1),
      /** An upper bound of the bytes of all artifacts. */
      artifactBytesBound: count,
    }),
    'split-failed': z.strictObject({ ...attemptFields, fault: fileFaultSchema }),
    /** From a validator. */
    'partition-validated': z.strictObject({
      ...attemptFields,
      index: count,
      outcome: partitionOutcomeSchema,
    }),
    /** From a worker whose item ended in the dead letters. */
    'work-failed': z.strictObject(attemptFields),
    'approve-import': z.strictObject({ importId, validationDigest: sha256Schema }),
    'cancel-import': z.strictObject({ importId }),
    'erase-import': z.strictObject({ importId }),
    /** From the sweeper: this import seems to have ended. */
    'tidy-import': z.strictObject({ importId }),
    /** From the sweeper: sessions or capabilities of this schema seem to have ended. */
    'tidy-schema': z.strictObject({ schemaId: idSchema('schema') }),
    /** The partitions and batches of a validation of an import that has ended. */
    'forget-attempt': z.strictObject({
      ...attemptFields,
      /** How many there are at most. */
      partitions: z.int().positive(),
    }),
    'acknowledge-batch': z.strictObject({
      importId,
      batchId: sha256Schema,
      /** SHA-256 of the sorted row ids that the caller accepted (`schemas/imports/identity.ts`). */
      ackDigest: sha256Schema,
    }),
  },
  'reserve-import',
);

export type ImportsCommand = CommandOf<typeof importsCommands>;

/** The command of one type. */
export type ImportsCommandOf<Type extends ImportsCommand['type']> = Extract<ImportsCommand, { type: Type }>;
