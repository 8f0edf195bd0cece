import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { quotaSchema } from '../base/quota.ts';
import { suiteListSchema } from '../checks/http.ts';
import { widgetListSchema } from '../feedback/http.ts';
import { importConfigurationRequestSchema, mappingSchema } from '../imports/configuration.ts';
import {
  bindingSchema,
  configureRequestSchema,
  importListSchema,
  importStatusSchema,
  schemaAnswerSchema,
  schemaListSchema,
  validateRequestSchema,
} from '../imports/http.ts';
import { capabilitiesSchema } from '../workspaces/capabilities.ts';
import { agentWorkspaceSchema } from '../workspaces/http.ts';
import { defineTool, type Tool } from './tool.ts';

const IMPORTS = '/v1/installations/:installationId/svcimport';

const LIST_WIDGETS = {
  method: 'GET',
  path: '/v1/installations/:installationId/svcfeedback/widgets',
} as const;
const LIST_SUITES = { method: 'GET', path: '/v1/installations/:installationId/svccheck/suites' } as const;
const LIST_IMPORTS = { method: 'GET', path: `${IMPORTS}/imports` } as const;
const READ_WORKSPACE = { method: 'GET', path: '/v1/agent/workspace' } as const;
const READ_CAPABILITIES = { method: 'GET', path: '/v1/agent/capabilities' } as const;
const LIST_SCHEMAS = { method: 'GET', path: `${IMPORTS}/schemas` } as const;
const CREATE_SCHEMA = { method: 'POST', path: `${IMPORTS}/schemas` } as const;
const REVISE_SCHEMA = { method: 'POST', path: `${IMPORTS}/schemas/:schemaId` } as const;
const MAP_IMPORT = { method: 'POST', path: `${IMPORTS}/imports/:importId/mapping` } as const;
const VALIDATE_IMPORT = { method: 'POST', path: `${IMPORTS}/imports/:importId/validate` } as const;
const READ_IMPORT = { method: 'GET', path: `${IMPORTS}/imports/:importId` } as const;
const READ_BINDING = { method: 'GET', path: `${IMPORTS}/imports/:importId/binding` } as const;

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const importId = importIdSchema.describe(
  'The handle of an import, which `import upload` of the command-line tool prints and list_imports finds again. It works until `expiresAt` of the import: seven days after the upload, or earlier with the end of a preview.',
);

const idempotencyKey = idempotencyKeySchema.describe(
  'Any text that is new for a new request. After a call without a certain answer, call again with the same key.',
);

const discoverLimits = defineTool({
  name: 'discover_limits',
  title: 'Discover limits',
  description:
    'Returns the workspace of the credential with what is left of its limits, the limits of each plan, and the import schemas with their ids and current revisions. Start here, and come back for an id that is lost.',
  hints: READS,
  input: z.strictObject({}),
  output: z.strictObject({
    // By product and limit. Naming all of them would take a fifth of the list of tools.
    workspace: agentWorkspaceSchema.extend({
      limits: z.record(z.string(), z.record(z.string(), quotaSchema)),
    }),
    plans: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number()))),
    schemas: schemaListSchema.shape.schemas,
  }),
  operations: [READ_WORKSPACE, READ_CAPABILITIES, LIST_SCHEMAS],
  async run(_input, call) {
    const workspace = agentWorkspaceSchema.parse(await call(READ_WORKSPACE));
    const { products } = capabilitiesSchema.parse(await call(READ_CAPABILITIES));
    const own = products.filter(({ name }) => (workspace.products as readonly string[]).includes(name));
    const { schemas } = workspace.products.includes('svcimport')
      ? schemaListSchema.parse(await call(LIST_SCHEMAS))
      : { schemas: [] };
    return { workspace, plans: Object.fromEntries(own.map(({ name, limits }) => [name, limits])), schemas };
  },
});

const configureSchema = defineTool({
  name: 'configure_schema',
  title: 'Configure an import schema',
  description:
    'Creates an import schema, or its next revision if `schemaId` is given. `configuration.schema.revision` is 1 for a new schema, else the current revision and 1 more. A next revision ends validations, approvals and browser sessions of the previous one. The answer repeats the configuration, and has `schemaId`, the handle for uploads. A preview can have two schemas; a schema lasts as long as its workspace.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    schemaId: idSchema('schema').optional().describe('Absent for a new schema.'),
    idempotencyKey,
    configuration: importConfigurationRequestSchema,
  }),
  output: schemaAnswerSchema,
  isOutlined: true,
  operations: [CREATE_SCHEMA, REVISE_SCHEMA],
  async run({ schemaId, ...request }, call) {
    const body = { version: configureRequestSchema.shape.version.value, ...request };
    return schemaId === undefined
      ? await call(CREATE_SCHEMA, { body })
      : await call(REVISE_SCHEMA, { params: { schemaId }, body });
  },
});

const submitMapping = defineTool({
  name: 'submit_mapping',
  title: 'Submit a mapping',
  description:
    'Maps columns of the uploaded file to fields of its schema. `revision` is 1 for the first mapping, else `mappingRevision` of read_counts and 1 more. Name each column as the header of the file does; no answer repeats these names. A next mapping ends the validation and the approval of the import. Answers like read_counts. Then call queue_validation.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: mappingSchema.omit({ version: true }).extend({ importId }),
  output: importStatusSchema,
  isOutlined: true,
  operations: [MAP_IMPORT],
  run: ({ importId: id, ...mapping }, call) =>
    call(MAP_IMPORT, {
      params: { importId: id },
      body: { version: mappingSchema.shape.version.value, ...mapping },
    }),
});

const queueValidation = defineTool({
  name: 'queue_validation',
  title: 'Queue a validation',
  description:
    'Starts the validation of a mapped import and returns at once. Call read_counts until `status` is no longer `validating`. An import has five validations, and an installation one at a time. Answers like read_counts.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ importId, idempotencyKey }),
  output: importStatusSchema,
  isOutlined: true,
  operations: [VALIDATE_IMPORT],
  run: ({ importId: id, idempotencyKey: key }, call) =>
    call(VALIDATE_IMPORT, {
      params: { importId: id },
      body: { version: validateRequestSchema.shape.version.value, idempotencyKey: key },
    }),
});

const readCounts = defineTool({
  name: 'read_counts',
  title: 'Read counts',
  description:
    'Returns the status of an import with counts of its rows and of its errors by column and code. `ready`: every row is valid, and a person can approve it in the console. `needs_correction`: a person reads the errors there; then submit another mapping, or upload a corrected file.',
  hints: READS,
  input: z.strictObject({ importId }),
  output: importStatusSchema,
  operations: [READ_IMPORT],
  run: ({ importId: id }, call) => call(READ_IMPORT, { params: { importId: id } }),
});

const readDigests = defineTool({
  name: 'read_digests',
  title: 'Read digests',
  description:
    'Returns the SHA-256 digests that an approval binds: of the file, of the validation, and of each batch. Compare them with those that a person sees or a backend gets.',
  hints: READS,
  input: z.strictObject({ importId }),
  output: bindingSchema,
  operations: [READ_BINDING],
  run: ({ importId: id }, call) => call(READ_BINDING, { params: { importId: id } }),
});

const listImports = defineTool({
  name: 'list_imports',
  title: 'List imports',
  description:
    'Lists the latest imports, newest first: `imports` has for each what read_counts returns, its `importId` included.',
  hints: READS,
  input: z.strictObject({}),
  output: importListSchema,
  isOutlined: true,
  operations: [LIST_IMPORTS],
  run: (_input, call) => call(LIST_IMPORTS),
});

const listFeedback = defineTool({
  name: 'list_feedback',
  title: 'List feedback widgets',
  description:
    'Lists the feedback widgets: `widgets` has `widgetId`, `origin`, the `snippet` for its pages, `counts` of submissions by state and the last `verified` one, or null. Messages are not included: people read them in the console.',
  hints: READS,
  input: z.strictObject({}),
  output: widgetListSchema,
  isOutlined: true,
  operations: [LIST_WIDGETS],
  run: (_input, call) => call(LIST_WIDGETS),
});

const listChecks = defineTool({
  name: 'list_checks',
  title: 'List browser checks',
  description:
    'Lists the suites of browser checks, newest first: `suites` has `suiteId`, `originId`, `name` and the flows with their steps. `check run` of the command-line tool runs one.',
  hints: READS,
  input: z.strictObject({}),
  output: suiteListSchema,
  isOutlined: true,
  operations: [LIST_SUITES],
  run: (_input, call) => call(LIST_SUITES),
});

/** Every tool, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  discoverLimits,
  configureSchema,
  submitMapping,
  queueValidation,
  readCounts,
  readDigests,
  listImports,
  listFeedback,
  listChecks,
];
