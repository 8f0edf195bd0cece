import { z } from 'zod';
import { limit } from '../base/limit.ts';
import { DAY_MS, MINUTE_MS } from '../base/time.ts';
import { defineProduct } from '../workspaces/product.ts';
import { planLimit, planQuota } from '../workspaces/product-quotas.ts';
import { importsCommands } from './commands.ts';
import { importCredentials } from './credentials.ts';
import { EMPTY_IMPORTS_ROOT, importsRootSchema, importsRowSchemas } from './documents.ts';
import { importProductSchema } from './http.ts';
import { importPartitionItems, importSplitItems } from './work-items.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** CSV import. */
export const importProduct = defineProduct({
  name: 'svcimport',
  optIn: true,
  title: 'CSV import',
  contractVersion: 'svcimport.schema.v1',
  topic: 'imports',
  partitions: 8,
  carries:
    'lifecycle, schema, capability, session, upload, mapping, validate, split and partition results, approve, ack, cancel, tidy, erase',
  commands: importsCommands,
  root: { schema: importsRootSchema, empty: EMPTY_IMPORTS_ROOT },
  rows: importsRowSchemas,
  works: {
    'import-splits': {
      key: 'import',
      partitions: 4,
      items: importSplitItems,
      carries: 'one upload of a claimed workspace to split',
      reader: 'splitter',
    },
    'import-partitions': {
      key: 'import and partition',
      partitions: 8,
      items: importPartitionItems,
      carries: 'a byte range of one upload of a claimed workspace to validate',
      reader: 'validator',
    },
    /** Separate topics: however many files of previews wait, a claimed workspace's import is not behind them. */
    'import-preview-splits': {
      key: 'import',
      partitions: 4,
      items: importSplitItems,
      carries: 'one upload of a preview to split',
      reader: 'splitter',
    },
    'import-preview-partitions': {
      key: 'import and partition',
      partitions: 4,
      items: importPartitionItems,
      carries: 'a byte range of one upload of a preview to validate',
      reader: 'validator',
    },
  },
  credentials: importCredentials,
  limits: {
    group: 'imports',
    schema: z.strictObject({
      schemaRevisions: limit('revisions of one schema', 1_000),
      uploadTokenMs: limit('lifetime of an upload token', 15 * MINUTE_MS),
      uploadAttempts: limit('upload tokens of one import, and uploads that sent bytes', 5),
      uploadMs: limit('duration of one upload', 15 * MINUTE_MS),
      uploadBytesPerSecond: limit('minimum rate of an upload per second, over any minute', 2 * KIB),
      validationsPerImport: limit('validations of one import', 5),
      artifactBytes: limit('bytes that all validations of one import may write', 16 * MIB),
      partitions: limit('partitions, and so batches, of one validation', 256),
      validationLeaseMs: limit(
        'pause without progress after which a validation can be replaced',
        10 * MINUTE_MS,
      ),
      rowErrorsKept: limit('row errors of one validation that are kept in full', 1_000),
      capabilitiesPerSchema: limit('active capabilities of one schema', 5),
      capabilityDaysMax: limit('lifetime of a capability, in days', 30),
      sessionsPerSchema: limit('active browser sessions of one schema', 20),
      sessionMs: limit('lifetime of a browser session', 30 * MINUTE_MS),
      retentionMs: limit('retention of the file and of everything made from it', 7 * DAY_MS),
    }),
  },
  planLimits: {
    importSchemas: planQuota(
      'import schemas ever',
      { preview: 2, free: 5 },
      { at: 'plan.schemas', ever: 'schemasMade', shownAs: 'schemas' },
    ),
    imports: planQuota(
      'imports; on Free in a calendar month (UTC)',
      { preview: 3, free: 10 },
      {
        at: 'plan.imports',
        ever: 'importsMade',
        inMonth: 'importsInMonth',
        shownAs: 'imports',
        isActivity: true,
      },
    ),
    importFileBytes: planLimit('size of a file', { preview: 1 * MIB, free: 5 * MIB }),
    importRows: planLimit('data rows of a file, valid and invalid', { preview: 1_000, free: 10_000 }),
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
    importSchemas: { member: 'schemasMade', example: 1 },
    imports: { member: 'importsMade', example: 1 },
  },
  verifiedResult: { kind: 'import', text: 'an import in which every row is valid' },
  transient: {
    commands: ['mint-session', 'revise-schema', 'cancel-import'],
    lifeMs: ({ sessionMs }) => sessionMs,
  },
});
