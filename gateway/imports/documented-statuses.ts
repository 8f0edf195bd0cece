import { importDetailSchema, importProvenanceSchema } from '../../schemas/imports/console-http.ts';
import { importActorSchema } from '../../schemas/imports/documents.ts';
import { errorCountSchema, fileFaultSchema } from '../../schemas/imports/file-faults.ts';
import {
  bindingSchema,
  errorListSchema,
  importListSchema,
  importProductSchema,
  importStatusSchema,
  rowListSchema,
  sessionImportSchema,
  sourceSampleSchema,
} from '../../schemas/imports/http.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { BATCH_ID, FILE_SHA256, MAPPING, STATUS, VALIDATION_DIGEST } from './example-import.ts';

const { importId, schemaId } = EXAMPLES;
const HEADERS = ['Code', 'Amount', 'Day'];
const FAULT = { code: 'stray_quote' as const, line: 7, byteOffset: 182 };
const COUNT = { column: 'amount', code: 'not_decimal' as const, count: 3 };
const ROW_FAULT = { column: 'amount', code: 'not_decimal' as const, message: 'Expected a decimal number.' };
const ROW = {
  row: 2,
  line: 3,
  source: ['A-2', '7,5', ''],
  values: null,
  errors: [ROW_FAULT],
  moreErrors: 0,
};
const LISTED_ERROR = { row: 2, line: 3, source: 'Amount', value: '7,5', ...ROW_FAULT };
const BATCH = { index: 0, batchId: BATCH_ID, rowCount: 2, acknowledgedAt: null };
const QUOTA = { limit: 3, used: 1, remaining: 2, resetsAt: null };
const LIMITS = { schemas: { limit: 2, used: 1, remaining: 1, resetsAt: null }, imports: QUOTA };

const statusMembers = {
  schemaRevision: 'The revision of the schema that the import uses.',
  mappingRevision: 'The number of the mapping; null before the first one.',
  byteLength: 'The length of the file in bytes.',
  errorCounts: 'Errors of rows by column and code, for the whole file.',
  validations: 'Validations of the import.',
  artifactBytes: 'Bytes that validations have written.',
  batchCount: 'Batches of the validated file.',
  acknowledgedBatches:
    'Acknowledged batches of the current approval; without one, all batches that were acknowledged under an earlier one.',
  approvedAt: 'The time of the approval, in UTC; null without one.',
  approvedBy: 'The person or session that approved it; null without an approval.',
  uploadedAt: 'The time of the upload, in UTC; null before.',
  expiresAt: 'The time at which its data ends, in UTC.',
  failure: 'The fault of the file as a whole, or null.',
};
const digestMember = {
  validationDigest: 'The digest that an approval names; null unless every row is valid.',
};
const rowMembers = {
  row: 'The number of the row, from 1, without header and blank lines.',
  line: 'The physical line on which it begins, from 1.',
};
const faultMembers = {
  column: 'The key of the field; null if the error is about the whole record.',
  code: 'A stable code for programs.',
  message: 'A sentence that says what is allowed.',
};

/** Schemas that show an import. */
export const importStatusSchemas = [
  nameSchema(
    'ImportStatus',
    importStatusSchema,
    'The state and the counts of an import. It has no data of the file.',
    STATUS,
    statusMembers,
  ),
  nameSchema(
    'ImportState',
    importStatusSchema.shape.status,
    '`reserved` until the upload, `uploaded` and `validating` until the validation, then `ready` or `needs_correction`; `approved` until every batch is acknowledged, then `delivered`. `failed`, `cancelled`, `expired` and `erased` are final.',
    'ready',
  ),
  nameSchema(
    'ImportActor',
    importActorSchema,
    'The agent, browser session or person that acted.',
    STATUS.createdBy,
    {
      kind: 'The kind of actor.',
      id: 'Its id. It is no secret.',
    },
  ),
  nameSchema(
    'ImportRowCounts',
    importStatusSchema.shape.rows,
    'Rows of the file. `total` is the sum of the others.',
    STATUS.rows,
    {
      total: 'All rows without the header.',
      valid: 'Rows without an error.',
      invalid: 'Rows with an error.',
      blank: 'Empty lines. They are skipped.',
    },
  ),
  nameSchema(
    'ImportProgress',
    importStatusSchema.shape.progress,
    'Parts of the file that are validated.',
    STATUS.progress,
    {
      done: 'Parts that are done.',
      total: 'All parts; 0 until the file is split.',
    },
  ),
  nameSchema(
    'ImportUsage',
    importStatusSchema.shape.validations,
    'A limit of one import.',
    STATUS.validations,
    {
      used: 'The use so far.',
      limit: 'The limit.',
    },
  ),
  nameSchema('RowErrorCount', errorCountSchema, 'Errors of one column and code.', COUNT, {
    column: faultMembers.column,
    code: faultMembers.code,
    count: 'Errors in the whole file.',
  }),
  nameSchema('FileFault', fileFaultSchema, 'The reason why a file cannot be imported.', FAULT, {
    code: faultMembers.code,
    line: 'The physical line, from 1; null if it is about no place in the file.',
    byteOffset: 'The offset in the uploaded bytes, from 0; null if it is about no place in the file.',
  }),
  nameSchema(
    'SessionImport',
    sessionImportSchema,
    'An import as the browser session that made it sees it.',
    { ...STATUS, validationDigest: VALIDATION_DIGEST },
    { ...statusMembers, ...digestMember },
  ),
  nameSchema(
    'ImportDetail',
    importDetailSchema,
    'An import as its owner sees it.',
    {
      ...STATUS,
      headers: HEADERS,
      mapping: MAPPING,
      validationDigest: VALIDATION_DIGEST,
      capabilities: 1,
      batches: [BATCH],
    },
    {
      ...statusMembers,
      ...digestMember,
      headers: 'The names of the columns. They are private: null for members, and before the upload.',
      mapping: 'The mapping. It is private: null for members, and before the first one.',
      capabilities:
        'The capabilities of its schema that have not ended. Without one, no backend can pull it.',
      batches: 'The batches of the validated file.',
    },
  ),
  nameSchema(
    'ImportBatchSummary',
    importDetailSchema.shape.batches.element,
    'A batch of the import.',
    BATCH,
    {
      index: 'Its number, from 0.',
      batchId: 'Its id.',
      rowCount: 'Its rows.',
      acknowledgedAt: 'The time of the acknowledgment, in UTC; null before.',
    },
  ),
  nameSchema(
    'ImportProvenance',
    importProvenanceSchema,
    'The times at which an import reached its states.',
    {
      importId,
      sourceSha256: FILE_SHA256,
      reservedAt: EXAMPLES.at,
      uploadedAt: EXAMPLES.at,
      validatedAt: EXAMPLES.later,
      approvedAt: null,
      deliveredAt: null,
    },
    {
      sourceSha256: 'The SHA-256 of the file.',
      reservedAt: 'The time of the reservation, in UTC.',
      uploadedAt: statusMembers.uploadedAt,
      validatedAt:
        'The time at which the validation ended, in UTC; null without one. Validations of earlier versions have none.',
      approvedAt: statusMembers.approvedAt,
      deliveredAt: 'The time at which the last batch was acknowledged, in UTC; null before.',
    },
  ),
  nameSchema(
    'ImportList',
    importListSchema,
    'One page of imports.',
    { imports: [STATUS], nextCursor: null },
    { imports: 'The imports, newest first.' },
  ),
  nameSchema(
    'ImportBinding',
    bindingSchema,
    'The digests that bind an approval to a file, a schema and a mapping.',
    {
      importId,
      schemaId,
      schemaRevision: 1,
      mappingRevision: 1,
      sourceSha256: FILE_SHA256,
      validationDigest: VALIDATION_DIGEST,
      batchIds: [BATCH_ID],
    },
    {
      schemaRevision: statusMembers.schemaRevision,
      mappingRevision: statusMembers.mappingRevision,
      sourceSha256: 'The SHA-256 of the file.',
      ...digestMember,
      batchIds: 'The ids of the batches, in order.',
    },
  ),
  nameSchema(
    'ImportSourceSample',
    sourceSampleSchema,
    'The start of the file.',
    {
      headers: HEADERS,
      sample: [
        ['A-1', '12.50', '31.01.2026'],
        ['A-2', '7', ''],
      ],
    },
    {
      headers: 'The names of the columns.',
      sample: 'The first rows as they are in the file; null for a record that is too large.',
    },
  ),
  nameSchema(
    'ImportRowList',
    rowListSchema,
    'One page of rows.',
    { rows: [ROW], nextCursor: null },
    { rows: 'The rows, in the order of the file.' },
  ),
  nameSchema('ImportRow', rowListSchema.shape.rows.element, 'A row with its errors.', ROW, {
    ...rowMembers,
    source: 'The cells as they are in the file; null for a record that is too large.',
    values: 'The values by the key of their field; null for an invalid row.',
    errors: 'The errors, in the order of the fields of the schema.',
    moreErrors: 'Further errors of the row, which are only counted.',
  }),
  nameSchema(
    'RowError',
    rowListSchema.shape.rows.element.shape.errors.element,
    'An error of a row.',
    ROW_FAULT,
    faultMembers,
  ),
  nameSchema(
    'ImportErrorList',
    errorListSchema,
    'One page of errors.',
    { errors: [LISTED_ERROR], counts: [COUNT], total: 3, nextCursor: null },
    {
      errors: 'The first errors of the file.',
      counts: 'All errors of the file by column and code.',
      total: 'All errors of the file.',
    },
  ),
  nameSchema('ImportError', errorListSchema.shape.errors.element, 'An error with its place.', LISTED_ERROR, {
    ...rowMembers,
    ...faultMembers,
    source: 'The name of the column in the header; null if the error is about the whole record.',
    value: 'The cell; null if the error is about the whole record.',
  }),
  nameSchema(
    'ImportProduct',
    importProductSchema,
    'The state and the limits of CSV import in a workspace.',
    {
      installationId: EXAMPLES.installationId,
      product: 'svcimport',
      state: 'preview',
      plan: 'preview',
      limits: LIMITS,
    },
    { product: 'The product.', state: 'The state of the workspace.' },
  ),
  nameSchema('ImportLimits', importProductSchema.shape.limits, 'Limits of CSV import.', LIMITS, {
    schemas: 'Import schemas ever created.',
    imports: 'Imports: of the preview, or of the calendar month of a claimed workspace.',
  }),
];
