import type { z } from 'zod';
import type { ResultOf } from '../../../schemas/base/command.ts';
import { exampleOf } from '../../../schemas/base/examples.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import type { importsCommands } from '../../../schemas/imports/commands.ts';
import type { ImportConfiguration } from '../../../schemas/imports/configuration.ts';
import { importConfigurationRequestSchema } from '../../../schemas/imports/configuration.ts';
import {
  configureRequestSchema,
  schemaAnswerSchema,
  schemaListSchema,
} from '../../../schemas/imports/http.ts';
import { checkOrigins } from '../../http/browsers/allowed-origins.ts';
import { type InWorkspace, json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { importAgent, importMember } from '../audiences.ts';
import { importsReader } from '../load-import.ts';

export const createSchemaRoute = importAgent.post('/schemas', {
  name: 'createImportSchema',
  summary: 'Configure a new import schema',
  description: 'Creates an import schema with its first revision.',
  body: json(configureRequestSchema, 'configurationBytes'),
  success: { status: 201, schema: schemaAnswerSchema, description: 'The schema' },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { configuration, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const schemaId = idFrom('schema', services.entropy.bytes(ID_BYTES));
    const input = { schemaId, configuration };
    const key = params.installationId;
    const result = await submit({ topic: 'imports', key, type: 'create-schema', input, idempotencyKey });
    return { body: schemaAnswer(result, configuration) };
  },
});

const CONFIGURATION = exampleOf(importConfigurationRequestSchema);

export const reviseSchemaRoute = importAgent.post('/schemas/:schemaId', {
  name: 'reviseImportSchema',
  summary: 'Configure the next revision of an import schema',
  description:
    'Creates the next revision of a schema. Imports keep the revision that they were reserved with. The current configuration again creates none.',
  body: json(configureRequestSchema, 'configurationBytes'),
  requestExample: {
    version: 'svcimport.configure.v1',
    idempotencyKey: 'orders-schema-2',
    configuration: { ...CONFIGURATION, schema: { ...CONFIGURATION.schema, revision: 2 } },
  },
  success: { status: 200, schema: schemaAnswerSchema, description: 'The schema in its current revision' },
  errors: ['idempotency_conflict', 'revision_conflict'],
  async handle({ params, body, services, submit }) {
    const { configuration, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const input = { schemaId: params.schemaId, configuration };
    const key = params.installationId;
    const result = await submit({ topic: 'imports', key, type: 'revise-schema', input, idempotencyKey });
    return { body: schemaAnswer(result, configuration) };
  },
});

type Configured = ResultOf<typeof importsCommands, 'create-schema' | 'revise-schema'>;

/** The answer to a configuration: what was sent is what is stored, also when it was stored before. */
function schemaAnswer(
  { schemaId, revision, createdAt }: Configured,
  configuration: ImportConfiguration,
): z.infer<typeof schemaAnswerSchema> {
  return { schemaId, revision, configuration, createdAt: isoTime(createdAt) };
}

const LIST = {
  success: { status: 200, schema: schemaListSchema, description: 'The schemas' },
  handle: ({ workspace, services }: InWorkspace) => listSchemas(services, workspace.installationId),
} as const;

export const listSchemasRoute = importAgent.get('/schemas', {
  ...LIST,
  name: 'listImportSchemas',
  summary: 'List the import schemas of the installation',
  description: 'Returns every import schema with its current revision.',
});

export const listWorkspaceSchemasRoute = importMember.get('/schemas', {
  ...LIST,
  name: 'listWorkspaceSchemas',
  summary: 'List the import schemas of a workspace',
  description: 'Returns every import schema of the workspace with its current revision.',
});

/** An installation's schemas in the order they were made. There are as many as a plan ever allows. */
async function listSchemas(
  { store, limits }: Pick<GatewayServices, 'store' | 'limits'>,
  installationId: string,
) {
  const { preview, free } = limits.plans;
  const { found, unreadable } = await importsReader.list(store, installationId, 'schema', {
    limit: Math.max(1, preview.importSchemas, free.importSchemas),
  });
  const schemas = found.map(({ id, document }) => ({ id, ...document }));
  schemas.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
  const body: z.infer<typeof schemaListSchema> = {
    schemas: schemas.map(({ id, name, revision, allowedOrigins }) => ({
      schemaId: id,
      name,
      revision,
      allowedOrigins,
    })),
  };
  return { body, unreadable };
}
