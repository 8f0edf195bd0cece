import { schemaDetailSchema, schemaRevisionListSchema } from '../../schemas/imports/console-http.ts';
import {
  acknowledgedSchema,
  batchAnswerSchema,
  capabilityAnswerSchema,
  capabilityListSchema,
  deliveryImportSchema,
  deliveryListSchema,
  mintedSessionSchema,
  reservationSchema,
  schemaAnswerSchema,
  schemaListSchema,
  sessionSchema,
  uploadAnswerSchema,
} from '../../schemas/imports/http.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES, exampleSecret } from '../http/example-values.ts';
import {
  BYTE_LENGTH,
  capabilityMembers,
  configurationMembers,
  uploadMembers,
  VERSION,
} from './documented-requests.ts';
import {
  BATCH_ID,
  CONFIGURATION,
  FIELDS,
  FILE_SHA256,
  ROW_IDS,
  STATUS,
  VALIDATION_DIGEST,
} from './example-import.ts';

const { workspaceId, schemaId, importId, capabilityId, origin, at, later } = EXAMPLES;
const IMPORT_ENDS = '2026-09-14T10:00:00.000Z';
const CAPABILITY = {
  capabilityId,
  name: 'Backend',
  origin,
  delegateApproval: false,
  last4: exampleSecret('capability').slice(-4),
  createdAt: at,
  expiresAt: '2026-10-07T10:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
};
const DELIVERY = {
  importId,
  status: 'approved' as const,
  schemaRevision: 1,
  rowCount: 2,
  batchCount: 1,
  acknowledgedBatches: 0,
  approvedAt: later,
};
const LISTED_SCHEMA = { schemaId, name: 'Orders', revision: 1, allowedOrigins: [origin] };
const REVISION = { revision: 1, configuration: CONFIGURATION, createdAt: at };
const OPEN_SESSION = {
  capabilityId,
  origin,
  schemaRevision: 1,
  delegateApproval: false,
  expiresAt: '2026-09-07T10:30:00.000Z',
  imports: 1,
};
const FIRST_ROW = {
  rowId: ROW_IDS[0],
  row: 1,
  values: { code: 'A-1', amount: '12.50', ordered: '2026-01-31' },
};
const ROWS = [FIRST_ROW, { rowId: ROW_IDS[1], row: 2, values: { code: 'A-2', amount: '7', ordered: null } }];
const MANIFEST = { schemaId, schemaRevision: 1, index: 0, firstRow: 1, rowCount: 2, rowIds: ROW_IDS };

const SESSION = {
  version: 'svcimport.session.v1' as const,
  workspaceId,
  schemaId,
  schemaRevision: 1,
  origin,
  expiresAt: '2026-09-07T10:30:00.000Z',
  maxBytes: 1_048_576,
  maxRows: 1_000,
  approvalDelegated: false,
};
const sessionMembers = {
  version: VERSION,
  schemaRevision: 'The revision of the schema that imports of the session use.',
  origin: 'The one page origin that may use the session.',
  maxBytes: 'The largest file of the plan, in bytes.',
  maxRows: 'The largest number of data rows of the plan.',
  approvalDelegated: 'True if the session may approve its imports.',
};
const capabilityAnswerMembers = {
  ...capabilityMembers,
  lastUsedAt: 'The time of the latest use, in UTC; null before the first one.',
};
const deliveryMembers = {
  schemaRevision: 'The revision of the schema that the import uses.',
  rowCount: 'Rows in all batches.',
  batchCount: 'Batches of the import.',
  acknowledgedBatches: 'Batches that were acknowledged.',
  approvedAt: 'The time of the approval, in UTC; null without one.',
};

/** Answers other than those that show the state of an import. */
export const importAnswerSchemas = [
  nameSchema(
    'ImportSchema',
    schemaAnswerSchema,
    'An import schema in its current revision.',
    { schemaId, revision: 1, configuration: CONFIGURATION, createdAt: at },
    { revision: 'The current revision.', createdAt: 'The time at which the revision was created, in UTC.' },
  ),
  nameSchema(
    'ImportSchemaList',
    schemaListSchema,
    'All import schemas.',
    { schemas: [LISTED_SCHEMA] },
    {
      schemas: 'The schemas.',
    },
  ),
  nameSchema(
    'ImportSchemaSummary',
    schemaListSchema.shape.schemas.element,
    'A schema as lists show it.',
    LISTED_SCHEMA,
    {
      revision: 'The current revision.',
      allowedOrigins: configurationMembers.allowedOrigins,
    },
  ),
  nameSchema(
    'ImportSchemaDetail',
    schemaDetailSchema,
    'An import schema as people of the organization see it.',
    { schemaId, ...REVISION, revisedAt: at, sessions: [OPEN_SESSION] },
    {
      revision: 'The current revision.',
      createdAt: 'The time at which the schema was created, in UTC.',
      revisedAt: 'The time at which the current revision was created, in UTC.',
      sessions: 'Browser sessions that may still be used, oldest first; null for members.',
    },
  ),
  nameSchema(
    'ImportSchemaSession',
    schemaDetailSchema.shape.sessions.unwrap().element,
    'A browser session that may still be used.',
    OPEN_SESSION,
    {
      capabilityId: 'The capability that created it.',
      origin: sessionMembers.origin,
      schemaRevision: sessionMembers.schemaRevision,
      delegateApproval: sessionMembers.approvalDelegated,
      expiresAt: 'The time at which it ends, in UTC.',
      imports: 'The imports that it has reserved.',
    },
  ),
  nameSchema(
    'ImportSchemaRevisionList',
    schemaRevisionListSchema,
    'One page of revisions.',
    { revisions: [REVISION], nextCursor: null },
    { revisions: 'The revisions, newest first.' },
  ),
  nameSchema(
    'ImportSchemaRevision',
    schemaRevisionListSchema.shape.revisions.element,
    'A revision of a schema.',
    REVISION,
    { revision: 'Its number, from 1.', createdAt: 'The time at which it was created, in UTC.' },
  ),
  nameSchema(
    'ImportReservation',
    reservationSchema,
    'A reserved import and the right to upload its file.',
    {
      importId,
      uploadUrl: `https://ingest.example.com/v1/import/uploads/${importId}`,
      uploadToken: exampleSecret('upload'),
      expiresAt: '2026-09-07T10:15:00.000Z',
    },
    {
      uploadUrl: 'The address for the upload.',
      uploadToken: 'The secret, for `Authorization: Bearer`.',
      expiresAt: 'The time at which the token ends, in UTC. The same request then gets another one.',
    },
  ),
  nameSchema(
    'UploadedImport',
    uploadAnswerSchema,
    'The import after the upload of its file.',
    { importId, status: 'uploaded', byteLength: BYTE_LENGTH, sha256: FILE_SHA256, failure: null },
    {
      status: 'The state of the import; `failed` if `failure` is not null.',
      byteLength: uploadMembers.byteLength,
      sha256: uploadMembers.sha256,
      failure: 'The fault of the file as a whole, or null.',
    },
  ),
  nameSchema(
    'MintedImportSession',
    mintedSessionSchema,
    'A new browser session with its secret. Give it to the signed-in user only.',
    { ...SESSION, sessionToken: exampleSecret('import'), ingestOrigin: 'https://ingest.example.com' },
    {
      ...sessionMembers,
      sessionToken: 'The secret, for `Authorization: Bearer`.',
      ingestOrigin: 'The origin to which the browser sends its requests.',
    },
  ),
  nameSchema(
    'ImportSession',
    sessionSchema,
    'A browser session as the browser sees it.',
    { ...SESSION, fields: FIELDS, imports: [STATUS] },
    {
      ...sessionMembers,
      fields: 'The fields to map columns to.',
      imports: 'The imports of the session, newest first.',
    },
  ),
  nameSchema(
    'ImportCapability',
    capabilityAnswerSchema,
    'A new capability with its secret.',
    { ...CAPABILITY, capability: exampleSecret('capability') },
    {
      ...capabilityAnswerMembers,
      capability: 'The secret, for `Authorization: Bearer`. Only the first answer has it; a repeat has null.',
    },
  ),
  nameSchema(
    'ImportCapabilityList',
    capabilityListSchema,
    'One page of capabilities.',
    { capabilities: [CAPABILITY], nextCursor: null },
    { capabilities: 'The capabilities.' },
  ),
  nameSchema(
    'ImportCapabilitySummary',
    capabilityListSchema.shape.capabilities.element,
    'A capability without its secret.',
    CAPABILITY,
    capabilityAnswerMembers,
  ),
  nameSchema(
    'DeliveryList',
    deliveryListSchema,
    'One page of imports to pull.',
    { imports: [DELIVERY], nextCursor: null },
    { imports: 'The imports, oldest approval first.' },
  ),
  nameSchema(
    'DeliverySummary',
    deliveryListSchema.shape.imports.element,
    'An import as the list of deliveries shows it.',
    DELIVERY,
    deliveryMembers,
  ),
  nameSchema(
    'Delivery',
    deliveryImportSchema,
    'An import as the backend of the customer sees it.',
    { ...DELIVERY, mappingRevision: 1, validationDigest: VALIDATION_DIGEST, expiresAt: IMPORT_ENDS },
    {
      ...deliveryMembers,
      mappingRevision: 'The number of the mapping; null before the first one.',
      validationDigest: 'The digest of the validation; null unless every row is valid.',
    },
  ),
  nameSchema(
    'ImportBatch',
    batchAnswerSchema,
    'A batch of rows.',
    {
      version: 'svcimport.batch.v1',
      importId,
      index: 0,
      batchId: BATCH_ID,
      manifest: MANIFEST,
      rows: ROWS,
      nextIndex: null,
    },
    {
      version: VERSION,
      index: 'The number of the batch, from 0.',
      batchId: 'A digest of the manifest. Apply a batch once for each id.',
      rows: 'The rows.',
      nextIndex: 'The number of the next batch; null on the last one.',
    },
  ),
  nameSchema(
    'ImportBatchManifest',
    batchAnswerSchema.shape.manifest,
    'Everything from which the id of the batch is computed.',
    MANIFEST,
    {
      schemaRevision: 'The revision of the schema.',
      index: 'The number of the batch, from 0.',
      firstRow: 'The number of its first row.',
      rowCount: 'Its rows.',
      rowIds: 'The ids of its rows, in order.',
    },
  ),
  nameSchema('ImportBatchRow', batchAnswerSchema.shape.rows.element, 'A row.', FIRST_ROW, {
    rowId: 'A digest of the schema, the number and the values of the row.',
    row: 'The number of the row, from 1, without header and blank lines.',
    values: 'The values by the key of their field; null for an empty cell.',
  }),
  nameSchema(
    'AcknowledgedBatch',
    acknowledgedSchema,
    'The acknowledgment is stored.',
    {
      version: 'svcimport.acknowledged.v1',
      importId,
      batchId: BATCH_ID,
      status: 'accepted',
      acknowledgedAt: later,
      remainingBatches: 0,
    },
    {
      version: VERSION,
      batchId: 'The batch.',
      status: 'The outcome.',
      acknowledgedAt: 'The time of the first acknowledgment, in UTC.',
      remainingBatches: 'Batches of the import that are not acknowledged yet.',
    },
  ),
];
