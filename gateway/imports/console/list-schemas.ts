import { schemaListSchema, workspaceParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { listSchemas } from '../schema-list.ts';

/** GET `/v1/console/workspaces/{workspaceId}/schemas`. */
export const listWorkspaceSchemasRoute = defineRoute({
  name: 'listWorkspaceSchemas',
  summary: 'List the import schemas of a workspace',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/schemas',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: schemaListSchema, description: 'The schemas' },
  errors: [],
  async handle({ workspace, services }) {
    return { body: await listSchemas(services, pathWorkspace({ workspace }).installationId) };
  },
});
