import {
  fieldSchema,
  importConfigurationRequestSchema,
  importConfigurationSchema,
  mappingSchema,
} from '../../schemas/imports/configuration.ts';
import { searchRowsRequestSchema } from '../../schemas/imports/console-http.ts';
import { FIELD_TYPES } from '../../schemas/imports/fields/registry.ts';
import {
  acknowledgeRequestSchema,
  approveRequestSchema,
  capabilityRequestSchema,
  configureRequestSchema,
  emptyRequestSchema,
  eraseRequestSchema,
  mintRequestSchema,
  reserveRequestSchema,
  sessionReserveRequestSchema,
  validateRequestSchema,
} from '../../schemas/imports/http.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import {
  BATCH_ID,
  CONFIGURATION,
  FIELDS,
  FILE,
  FILE_SHA256,
  MAPPING,
  ROW_IDS,
  VALIDATION_DIGEST,
} from './example-import.ts';

const { importId, origin } = EXAMPLES;
export const VERSION = 'The version of this contract.';
export const BYTE_LENGTH = Buffer.byteLength(FILE);
export const configurationMembers = {
  allowedOrigins: 'Origins of the pages that may import with this schema.',
  schema: 'The fields.',
};
export const capabilityMembers = {
  origin: 'The one page origin for which it can mint browser sessions.',
  delegateApproval: 'True if browser sessions may approve imports.',
};
export const uploadMembers = {
  version: VERSION,
  byteLength: 'The length of the file in bytes.',
  sha256: 'The SHA-256 of the file, as 64 lower-case hexadecimal characters.',
};
const FIELD_MEMBERS = {
  key: 'The key of the field.',
  required: 'True if an empty cell is an error.',
  type: 'The type.',
};

const requests = [
  nameSchema(
    'ConfigureImportSchemaRequest',
    configureRequestSchema,
    'The configuration of an import schema.',
    { version: 'svcimport.configure.v1', idempotencyKey: 'orders-schema-1', configuration: CONFIGURATION },
    { version: VERSION },
  ),
  nameSchema(
    'ReserveImportRequest',
    reserveRequestSchema,
    'The file to be imported. Its bytes follow in the upload.',
    {
      version: 'svcimport.upload.v1',
      idempotencyKey: 'orders-2026-09-07',
      revision: 1,
      byteLength: BYTE_LENGTH,
      sha256: FILE_SHA256,
    },
    { ...uploadMembers, revision: 'The current revision of the schema.' },
  ),
  nameSchema(
    'ReserveSessionImportRequest',
    sessionReserveRequestSchema,
    'The file to be imported. The revision of the schema is that of the session.',
    {
      version: 'svcimport.upload.v1',
      idempotencyKey: 'file-1',
      byteLength: BYTE_LENGTH,
      sha256: FILE_SHA256,
    },
    uploadMembers,
  ),
  nameSchema(
    'ValidateImportRequest',
    validateRequestSchema,
    'Starts a validation. A new key starts another one.',
    { version: 'svcimport.validate.v1', idempotencyKey: 'orders-2026-09-07-first' },
    { version: VERSION },
  ),
  nameSchema(
    'ApproveImportRequest',
    approveRequestSchema,
    'Approves one exact validation.',
    { validationDigest: VALIDATION_DIGEST },
    { validationDigest: 'The digest that the import shows. Another validation has another one.' },
  ),
  nameSchema(
    'MintImportSessionRequest',
    mintRequestSchema,
    'Asks for a browser session.',
    { version: 'svcimport.mint-session.v1' },
    { version: VERSION },
  ),
  nameSchema(
    'EraseImportRequest',
    eraseRequestSchema,
    'Confirms the erasure.',
    { confirm: importId },
    {
      confirm: 'The id of the import, as in the path.',
    },
  ),
  nameSchema(
    'SearchImportRowsRequest',
    searchRowsRequestSchema,
    'The text to find in cells.',
    { contains: 'A-1' },
    { contains: 'The text. Upper and lower case are alike.' },
  ),
  nameSchema('EmptyRequest', emptyRequestSchema, 'An empty object.', {}),
  nameSchema(
    'CreateCapabilityRequest',
    capabilityRequestSchema,
    'A capability for the backend of the customer.',
    {
      idempotencyKey: 'backend-1',
      name: 'Backend',
      origin,
      expiresInDays: 30,
      delegateApproval: false,
    },
    {
      ...capabilityMembers,
      name: 'A name to tell capabilities apart.',
      expiresInDays: 'Days until it ends.',
    },
  ),
  nameSchema(
    'AcknowledgeBatchRequest',
    acknowledgeRequestSchema,
    'The backend has applied a batch.',
    {
      version: 'svcimport.acknowledge.v1',
      importId,
      ack: { version: 'svcimport.ack.v1', batchId: BATCH_ID, status: 'accepted', acceptedRowIds: ROW_IDS },
    },
    { version: VERSION, importId: 'The import, as in the path.' },
  ),
  nameSchema(
    'BatchAcknowledgment',
    acknowledgeRequestSchema.shape.ack,
    'A batch with every row that was applied.',
    { version: 'svcimport.ack.v1', batchId: BATCH_ID, status: 'accepted', acceptedRowIds: ROW_IDS },
    {
      version: VERSION,
      batchId: 'The batch.',
      status: 'The outcome.',
      acceptedRowIds: 'The ids of all rows of the batch, in any order.',
    },
  ),
];

const configuration = [
  nameSchema(
    'ImportConfigurationRequest',
    importConfigurationRequestSchema,
    'The fields of a schema, and the pages that may import with it.',
    CONFIGURATION,
    configurationMembers,
  ),
  nameSchema(
    'ImportConfiguration',
    importConfigurationSchema,
    'The fields of a schema, and the pages that may import with it.',
    CONFIGURATION,
    configurationMembers,
  ),
  nameSchema(
    'ImportFields',
    importConfigurationSchema.shape.schema,
    'The fields of one revision.',
    CONFIGURATION.schema,
    {
      version: VERSION,
      revision: 'The number of the revision: 1 for a new schema, then one more each time.',
      fields: 'The fields, in the order in which values are digested.',
    },
  ),
  nameSchema('ImportField', fieldSchema, 'A field that columns of files are mapped to.', FIELDS[0]),
  ...FIELD_TYPES.list.map(({ schema, documentation: { name, description, parameters, example } }) => ({
    ...nameSchema(name, schema, description, example),
    members: { ...FIELD_MEMBERS, ...parameters },
  })),
  nameSchema('ImportMapping', mappingSchema, 'Columns of the file and the fields that they fill.', MAPPING, {
    version: VERSION,
    revision: 'The number of the mapping: 1 for the first one, then one more each time.',
    columns: 'Each source and each target once. Columns that are not named are ignored.',
  }),
  nameSchema('ImportMappingColumn', mappingSchema.shape.columns.element, 'One column.', MAPPING.columns[0], {
    source: 'The name of the column in the header of the file.',
    target: 'The key of a field.',
  }),
];

/** Requests and the configuration of schemas. */
export const importRequestSchemas = [...requests, ...configuration];
