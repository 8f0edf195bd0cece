import {
  importListSchema,
  importsQuerySchema,
  workspaceParamsSchema,
} from '../../../schemas/imports/http.ts';
import { importMember } from '../audiences.ts';
import { statusAnswer } from '../load-import.ts';
import { walkImports } from '../walk-imports.ts';

/** GET `/v1/console/workspaces/{workspaceId}/imports?schemaId&status`: newest first. */
export const listWorkspaceImportsRoute = importMember.get('/imports', {
  name: 'listWorkspaceImports',
  summary: 'List the imports of a workspace',
  params: workspaceParamsSchema,
  query: importsQuerySchema,
  success: { status: 200, schema: importListSchema, description: 'One page of imports' },
  async handle({ workspace, query, services }) {
    const { schemaId, status, cursor, limit } = query;
    const { imports, nextCursor } = await walkImports(services, workspace, {
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
