import { sha256Hex } from '../base/digest.ts';
import { EXAMPLES, exampleOf } from '../base/examples.ts';
import { exampleId } from '../base/ids.ts';
import { dateField } from './fields/date.ts';
import { decimalField } from './fields/decimal.ts';
import { textField } from './fields/text.ts';
import { batchId, rowId, validationDigest } from './identity.ts';

const schemaId = exampleId('schema');

/** The file of the examples in the OpenAPI document. */
export const FILE = 'Code,Amount,Day\nA-1,12.50,31.01.2026\nA-2,7,\n';
export const FILE_BYTES = Buffer.byteLength(FILE);
export const FILE_SHA256 = sha256Hex(FILE);

export const FIELDS = [textField, decimalField, dateField].map(({ schema }) => exampleOf(schema));

const COLUMNS = [
  { source: 'Code', target: 'code' },
  { source: 'Amount', target: 'amount' },
  { source: 'Day', target: 'ordered' },
];

export const MAPPING = { version: 'svcimport.mapping.v1', revision: 1, columns: COLUMNS };

/** The ids that the service computes of the file. */
export const ROW_IDS: readonly [string, string] = [
  rowId(schemaId, 1, 1, ['A-1', '12.50', '2026-01-31']),
  rowId(schemaId, 1, 2, ['A-2', '7', null]),
];
export const BATCH_ID = batchId(schemaId, 1, 0, 1, ROW_IDS);
export const VALIDATION_DIGEST = validationDigest({
  importId: EXAMPLES.importId,
  sourceSha256: FILE_SHA256,
  schemaId,
  schemaRevision: 1,
  mappingRevision: 1,
  batchIds: [BATCH_ID],
});

/** The members of an import before its validation that differ from the example of its schema, which is ready. */
export const UPLOADED = {
  status: 'uploaded' as const,
  rows: { total: 0, valid: 0, invalid: 0, blank: 0 },
  progress: { done: 0, total: 0 },
  validations: { used: 0, limit: 5 },
  artifactBytes: { used: 0, limit: 16_777_216 },
  batchCount: 0,
};

export const VALIDATING = { ...UPLOADED, status: 'validating' as const, validations: { used: 1, limit: 5 } };

export const APPROVED = {
  status: 'approved' as const,
  approvedAt: EXAMPLES.later,
  approvedBy: { kind: 'user' as const, id: EXAMPLES.userId },
};

export const CANCELLED = { ...UPLOADED, status: 'cancelled' as const };
