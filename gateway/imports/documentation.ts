import type { OperationDocumentation, ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { importAnswerSchemas } from './documented-answers.ts';
import { importRequestSchemas } from './documented-requests.ts';
import { importStatusSchemas } from './documented-statuses.ts';
import { APPROVED, CANCELLED, CONFIGURATION, FILE, UPLOADED, VALIDATING } from './example-import.ts';

const ROW_FILTER = { filter: { description: 'The rows to return.', example: 'invalid' } };

/** Operations of agents. They show counts and digests, and no data of the file. */
const agent: Record<string, OperationDocumentation> = {
  readImportProduct: { description: 'Returns the installation, its state and what is left of its limits.' },
  createImportSchema: { description: 'Creates an import schema with its first revision.' },
  listImportSchemas: { description: 'Returns every import schema with its current revision.' },
  reviseImportSchema: {
    description:
      'Creates the next revision of a schema. Imports keep the revision that they were reserved with. The current configuration again creates none.',
    request: {
      version: 'svcimport.configure.v1',
      idempotencyKey: 'orders-schema-2',
      configuration: { ...CONFIGURATION, schema: { ...CONFIGURATION.schema, revision: 2 } },
    },
  },
  reserveImport: {
    description:
      'Reserves an import by the length and the SHA-256 of its file and returns a token for the upload. This counts against the limit of imports. The same request returns the next token once the last one has ended.',
  },
  mapImport: {
    description:
      'Maps columns of the file to fields of the schema. Any former validation ends, and the file has to be validated again.',
    answer: UPLOADED,
  },
  validateImport: {
    description:
      'Queues a validation of the whole file and returns at once. Read the import until its status is no longer `validating`.',
    answer: VALIDATING,
  },
  cancelImport: {
    description: 'Cancels an import that is not approved. A repeat gets the same answer.',
    answer: CANCELLED,
  },
  readImport: { description: 'Returns the state and the counts of an import, also of one that has ended.' },
  readImportBinding: {
    description:
      'Returns the digests that an approval binds. `infra/docs/csv-import.md` says how to compute them again.',
  },
};

/** The upload, and operations of browsers on a page of the customer. */
const browser: Record<string, OperationDocumentation> = {
  uploadImportSource: {
    description:
      'Uploads the file of a reserved import. Its length and SHA-256 must be the announced ones. A fault of the header row answers 200 with `failure`.',
    request: FILE,
  },
  mintImportSession: {
    description:
      'Creates a session with which the browser of one signed-in user imports on a page of the customer. Call it from your backend and give the token to that user only.',
  },
  readImportSession: {
    description: 'Returns the limits of the session, the fields of its schema and its imports.',
  },
  reserveSessionImport: {
    description:
      'Reserves an import by the length and the SHA-256 of its file and returns a token for the upload.',
  },
  readSessionImport: { description: 'Returns the state and the counts of an import of the session.' },
  readSessionSource: {
    description: 'Returns the header and the first rows of the file, to map its columns.',
  },
  readSessionRows: {
    description: 'Returns rows of a validated import with their errors.',
    parameters: ROW_FILTER,
  },
  readSessionErrors: { description: 'Returns the first errors of a validated import, and counts of all.' },
  mapSessionImport: {
    description: 'Maps columns of the file to fields of the schema. The file has to be validated again.',
    answer: UPLOADED,
  },
  validateSessionImport: {
    description: 'Queues a validation of the whole file and returns at once.',
    answer: VALIDATING,
  },
  approveSessionImport: {
    description:
      'Approves one exact validation of an import of the session. It is forbidden unless the capability of the session delegates approvals.',
    answer: { ...APPROVED, approvedBy: { kind: 'session', id: EXAMPLES.sessionId } },
  },
  cancelSessionImport: {
    description: 'Cancels an import of the session that is not approved.',
    answer: CANCELLED,
  },
};

/** Operations of the backend of the customer, which pulls approved imports. */
const delivery: Record<string, OperationDocumentation> = {
  listDeliveries: {
    description:
      'Returns imports of the schema that were approved, oldest approval first. Without `filter=undelivered`, delivered, cancelled and expired ones are among them.',
    parameters: {
      filter: {
        description: '`undelivered`: only imports with batches that are still to be pulled and acknowledged.',
        example: 'undelivered',
      },
    },
  },
  readDelivery: { description: 'Returns one import of the schema.' },
  readBatch: {
    description:
      'Returns one batch of an approved import. Start with `index=0` and follow `nextIndex` until it is null.',
  },
  acknowledgeBatch: {
    description:
      'Tells the service that a whole batch was applied. A repeat gets the same answer. Acknowledge with every row id of the batch.',
  },
};

/** Operations of the owner in the console. */
const owner: Record<string, OperationDocumentation> = {
  listWorkspaceSchemas: {
    description: 'Returns every import schema of the workspace with its current revision.',
  },
  readWorkspaceSchema: {
    description:
      'Returns an import schema in its current revision, with its browser sessions. Members do not see the sessions.',
  },
  listSchemaRevisions: {
    description: 'Returns every revision of a schema with its whole configuration, newest first.',
  },
  listCapabilities: {
    description:
      'Returns the capabilities of a schema without their secrets, newest first, including ended ones.',
  },
  createCapability: {
    description:
      'Creates a capability: a secret with which the backend of the customer pulls imports of this schema and mints browser sessions. Only the first answer has the secret.',
  },
  revokeCapability: { description: 'Revokes a capability for good, and with it its browser sessions.' },
  listImports: {
    description: 'Returns imports of the installation, newest first: status and counts, no row.',
  },
  listWorkspaceImports: { description: 'Returns imports of the workspace, newest first.' },
  readWorkspaceImport: {
    description:
      'Returns an import with its columns, mapping and batches. Members see neither columns nor mapping.',
  },
  readImportRows: {
    description: 'Returns rows of a validated import with their errors. The audit log records the read.',
    parameters: ROW_FILTER,
  },
  readImportProvenance: {
    description: 'Returns the times at which an import reached its states, and the digest of its file.',
  },
  readImportSource: {
    description:
      'Returns the header and the first rows of the file, to map its columns. The audit log records the read.',
  },
  searchImportRows: {
    description:
      'Returns rows with a text in a mapped cell, upper and lower case alike. The text is in the body, because addresses are logged and cells are private. A page may be short or empty; its cursor leads on. The audit log records the read.',
    parameters: ROW_FILTER,
  },
  readImportErrors: {
    description:
      'Returns the first errors of a validated import, and counts of all. The audit log records the read.',
  },
  downloadImportErrors: {
    description:
      'Returns the invalid rows as a CSV file that is safe to open in a spreadsheet. The audit log records the read.',
    file: {
      example: 'svc_row,svc_line,svc_errors,Code,Amount,Day\r\n2,3,amount: not_decimal,A-2,"7,5",\r\n',
    },
  },
  mapWorkspaceImport: {
    description: 'Maps columns of the file to fields of the schema. Any former validation ends.',
    answer: UPLOADED,
  },
  validateWorkspaceImport: {
    description: 'Queues a validation of the whole file and returns at once.',
    answer: VALIDATING,
  },
  approveImport: {
    description: 'Approves one exact validation. The backend of the customer can then pull its batches.',
    answer: APPROVED,
  },
  cancelWorkspaceImport: { description: 'Cancels an import. Its data is deleted.', answer: CANCELLED },
  eraseImport: {
    description: 'Erases an import with its file, rows, errors and mapping. This cannot be undone.',
    answer: { ...CANCELLED, status: 'erased' },
  },
};

/** The texts about CSV import in the OpenAPI document. */
export const importDocumentation: ProductDocumentation = {
  tag: {
    name: 'CSV import',
    description:
      'An import is one file, bound to one revision of a schema. It is validated as a whole, approved by a person, and pulled by the backend of the customer in batches.',
  },
  parameters: {
    installationId: { description: 'The installation of the workspace.', example: EXAMPLES.installationId },
    workspaceId: { description: 'The workspace.', example: EXAMPLES.workspaceId },
    schemaId: { description: 'The import schema.', example: EXAMPLES.schemaId },
    importId: { description: 'The import.', example: EXAMPLES.importId },
    capabilityId: { description: 'The capability.', example: EXAMPLES.capabilityId },
    status: { description: 'Only imports in this state.', example: 'ready' },
    field: { description: 'Only rows with an error in this column.', example: 'amount' },
    code: { description: 'Only rows with an error of this code.', example: 'not_decimal' },
    index: { description: 'The number of the batch, from 0.', example: 0 },
    cursor: { description: 'The `nextCursor` of the page before.', example: '20' },
    limit: { description: 'The largest number of entries to return.', example: 20 },
  },
  schemas: [...importRequestSchemas, ...importAnswerSchemas, ...importStatusSchemas],
  operations: { ...agent, ...browser, ...delivery, ...owner },
};
