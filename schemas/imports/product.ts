import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../base/time.ts';
import { defineProduct } from '../workspaces/product.ts';
import { importsCommands } from './commands.ts';
import { EMPTY_IMPORTS_ROOT, importsRootSchema } from './documents.ts';
import { importProductSchema } from './http.ts';

const count = z.int().nonnegative();
const positive = z.int().positive();
const KIB = 1_024;
const MIB = 1_024 * KIB;

/** CSV import. */
export const importProduct = defineProduct({
  name: 'svcimport',
  title: 'CSV import',
  contractVersion: 'svcimport.schema.v1',
  topic: 'imports',
  partitions: 8,
  carries:
    'lifecycle, schema, capability, session, upload, mapping, validate, split and partition results, approve, ack, cancel, tidy, erase',
  commands: importsCommands,
  root: { schema: importsRootSchema, empty: EMPTY_IMPORTS_ROOT },
  limits: {
    group: 'imports',
    schema: z.strictObject({
      validationsPerImport: positive,
      artifactBytes: positive,
      partitions: positive,
      /** Upload tokens of an import, and uploads that may write bytes. */
      uploadAttempts: positive,
      uploadTokenMs: positive,
      /** The longest duration of one upload. */
      uploadMs: positive,
      /** The least average pace of an upload over any minute. */
      uploadBytesPerSecond: positive,
      retentionMs: positive,
      validationLeaseMs: positive,
      rowErrorsKept: positive,
      /** Revisions of one schema. */
      schemaRevisions: positive,
      capabilitiesPerSchema: positive,
      capabilityDaysMax: positive,
      sessionsPerSchema: positive,
      sessionMs: positive,
    }),
    defaults: {
      validationsPerImport: 5,
      artifactBytes: 16 * MIB,
      partitions: 256,
      uploadAttempts: 5,
      uploadTokenMs: 15 * MINUTE_MS,
      uploadMs: 15 * MINUTE_MS,
      uploadBytesPerSecond: 2 * KIB,
      retentionMs: 7 * DAY_MS,
      validationLeaseMs: 10 * MINUTE_MS,
      rowErrorsKept: 1_000,
      schemaRevisions: 1_000,
      capabilitiesPerSchema: 5,
      capabilityDaysMax: 30,
      sessionsPerSchema: 20,
      sessionMs: 30 * MINUTE_MS,
    },
  },
  planLimits: {
    schema: z.strictObject({
      importSchemas: count,
      /** Lifetime in a preview; a UTC month on Free. */
      imports: count,
      importFileBytes: positive,
      importRows: positive,
    }),
    defaults: {
      preview: { importSchemas: 2, imports: 3, importFileBytes: 1 * MIB, importRows: 1_000 },
      free: { importSchemas: 5, imports: 10, importFileBytes: 5 * MIB, importRows: 10_000 },
    },
  },
  shownLimits: ({ sessionMs, ...limits }) => ({
    validationsPerImport: limits.validationsPerImport,
    artifactBytes: limits.artifactBytes,
    partitions: limits.partitions,
    capabilitiesPerSchema: limits.capabilitiesPerSchema,
    capabilityDaysMax: limits.capabilityDaysMax,
    sessionsPerSchema: limits.sessionsPerSchema,
    sessionMinutes: sessionMs / MINUTE_MS,
  }),
  usedLimits: importProductSchema.shape.limits,
  counters: {
    importSchemas: { member: 'schemasMade', description: 'Import schemas.', example: 1 },
    imports: { member: 'importsMade', description: 'Imports.', example: 1 },
  },
  verifiedResult: 'import',
  passing: {
    commands: ['mint-session', 'revise-schema', 'cancel-import'],
    lifeMs: ({ sessionMs }) => sessionMs,
  },
});
