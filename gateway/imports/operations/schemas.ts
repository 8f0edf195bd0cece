import type { z } from 'zod';
import type { ResultOf } from '../../../schemas/base/command.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import type { importsCommands } from '../../../schemas/imports/commands.ts';
import type { ImportConfiguration } from '../../../schemas/imports/configuration.ts';
import { schemaDocumentSchema } from '../../../schemas/imports/documents.ts';
import {
  configureRequestSchema,
  installationParamsSchema,
  installationSchemaParamsSchema,
  schemaAnswerSchema,
  schemaListSchema,
  workspaceParamsSchema,
} from '../../../schemas/imports/http.ts';
import { checkOrigins } from '../../http/allowed-origins.ts';
import { type InWorkspace, json } from '../../http/audience.ts';
import type { GatewayServices } from '../../http/services.ts';
import { importAgent, importMember } from '../audiences.ts';
import { importsAggregate } from '../load-import.ts';

/** POST `…/svcimport/schemas`: a schema with its first revision. */
export const createSchemaRoute = importAgent.post('/schemas', {
  name: 'createImportSchema',
  summary: 'Configure a new import schema',
  params: installationParamsSchema,
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

/** POST `…/svcimport/schemas/{schemaId}`: the next revision of a schema. */
export const reviseSchemaRoute = importAgent.post('/schemas/:schemaId', {
  name: 'reviseImportSchema',
  summary: 'Configure the next revision of an import schema',
  params: installationSchemaParamsSchema,
  body: json(configureRequestSchema, 'configurationBytes'),
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
  handle: async ({ workspace, services }: InWorkspace) => ({
    body: await listSchemas(services, workspace.installationId),
  }),
} as const;

export const listSchemasRoute = importAgent.get('/schemas', {
  ...LIST,
  name: 'listImportSchemas',
  summary: 'List the import schemas of the installation',
  params: installationParamsSchema,
});

export const listWorkspaceSchemasRoute = importMember.get('/schemas', {
  ...LIST,
  name: 'listWorkspaceSchemas',
  summary: 'List the import schemas of a workspace',
  params: workspaceParamsSchema,
});

/** An installation's schemas in the order they were made. There are as many as a plan ever allows. */
async function listSchemas(
  { store, limits }: Pick<GatewayServices, 'store' | 'limits'>,
  installationId: string,
): Promise<z.infer<typeof schemaListSchema>> {
  const { preview, free } = limits.plans;
  const rows = await store.list(importsAggregate(installationId), 'schema', {
    limit: Math.max(1, preview.importSchemas, free.importSchemas),
  });
  const schemas = rows.map(({ id, document }) => ({ id, ...schemaDocumentSchema.parse(document) }));
  schemas.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
  return {
    schemas: schemas.map(({ id, name, revision, allowedOrigins }) => ({
      schemaId: id,
      name,
      revision,
      allowedOrigins,
    })),
  };
}
