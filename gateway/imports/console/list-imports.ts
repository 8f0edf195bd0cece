import {
  importListSchema,
  importsQuerySchema,
  workspaceParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { statusAnswer } from '../status-answer.ts';
import { walkImports } from '../walk-imports.ts';

/** GET `/v1/console/workspaces/{workspaceId}/imports?schemaId&status`: newest first. */
export const listWorkspaceImportsRoute = defineRoute({
  name: 'listWorkspaceImports',
  summary: 'List the imports of a workspace',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/imports',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  query: importsQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: importListSchema, description: 'One page of imports' },
  errors: [],
  async handle({ workspace, query, services }) {
    const { schemaId, status, cursor, limit } = query;
    const { imports, nextCursor } = await walkImports(services, pathWorkspace({ workspace }), {
      index: { kind: 'timeline' },
      cursor,
      limit,
      accepts: ({ document, effective }) =>
        (schemaId === undefined || document.schemaId === schemaId) &&
        (status === undefined || effective.status === status),
    });
    return { body: { imports: imports.map((loaded) => statusAnswer(services, loaded)), nextCursor } };
  },
});
