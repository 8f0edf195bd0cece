import { sha256Hex } from '../../schemas/base/digest.ts';
import { dateField } from '../../schemas/imports/fields/date.ts';
import { decimalField } from '../../schemas/imports/fields/decimal.ts';
import { textField } from '../../schemas/imports/fields/text.ts';
import { batchId, rowId, validationDigest } from '../../schemas/imports/identity.ts';
import { EXAMPLES } from '../http/example-values.ts';

const { schemaId, importId, origin, at, later } = EXAMPLES;

/** The file of the examples in the OpenAPI document. */
export const FILE = 'Code,Amount,Day\nA-1,12.50,31.01.2026\nA-2,7,\n';
export const FILE_SHA256 = sha256Hex(FILE);

const { example: CODE } = textField.documentation;
const { example: AMOUNT } = decimalField.documentation;
const { example: ORDERED } = dateField.documentation;

export const FIELDS: [typeof CODE, typeof AMOUNT, typeof ORDERED] = [CODE, AMOUNT, ORDERED];

export const CONFIGURATION = {
  name: 'Orders',
  allowedOrigins: [origin],
  schema: { version: 'svcimport.schema.v1' as const, revision: 1, fields: FIELDS },
};

const CODE_COLUMN = { source: 'Code', target: 'code' };

export const MAPPING = {
  version: 'svcimport.mapping.v1' as const,
  revision: 1,
  columns: [CODE_COLUMN, { source: 'Amount', target: 'amount' }, { source: 'Day', target: 'ordered' }] as [
    typeof CODE_COLUMN,
    ...(typeof CODE_COLUMN)[],
  ],
};

/** The ids that the service computes of the file. */
export const ROW_IDS: [string, string] = [
  rowId(schemaId, 1, 1, ['A-1', '12.50', '2026-01-31']),
  rowId(schemaId, 1, 2, ['A-2', '7', null]),
];
export const BATCH_ID = batchId(schemaId, 1, 0, 1, ROW_IDS);
export const VALIDATION_DIGEST = validationDigest({
  importId,
  sourceSha256: FILE_SHA256,
  schemaId,
  schemaRevision: 1,
  mappingRevision: 1,
  batchIds: [BATCH_ID],
});

const AGENT = { kind: 'agent' as const, id: EXAMPLES.credentialId };

/** The import after its validation. */
export const STATUS = {
  importId,
  schemaId,
  schemaRevision: 1,
  mappingRevision: 1,
  status: 'ready' as const,
  createdBy: AGENT,
  byteLength: Buffer.byteLength(FILE),
  rows: { total: 2, valid: 2, invalid: 0, blank: 0 },
  progress: { done: 1, total: 1 },
  errorCounts: [],
  validations: { used: 1, limit: 5 },
  artifactBytes: { used: 512, limit: 16_777_216 },
  batchCount: 1,
  acknowledgedBatches: 0,
  approvedAt: null,
  approvedBy: null,
  uploadedAt: at,
  expiresAt: '2026-09-14T10:00:00.000Z',
  failure: null,
};

/** The import before its validation. */
export const UPLOADED = {
  ...STATUS,
  status: 'uploaded' as const,
  rows: { total: 0, valid: 0, invalid: 0, blank: 0 },
  progress: { done: 0, total: 0 },
  validations: { used: 0, limit: 5 },
  artifactBytes: { used: 0, limit: 16_777_216 },
  batchCount: 0,
};

export const VALIDATING = { ...UPLOADED, status: 'validating' as const, validations: { used: 1, limit: 5 } };

export const APPROVED = {
  ...STATUS,
  status: 'approved' as const,
  approvedAt: later,
  approvedBy: { kind: 'user' as const, id: EXAMPLES.userId },
};

export const CANCELLED = { ...UPLOADED, status: 'cancelled' as const };
