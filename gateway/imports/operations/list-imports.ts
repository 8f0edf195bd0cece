import type { z } from 'zod';
import {
  importListSchema,
  importsQuerySchema,
  installationParamsSchema,
  workspaceParamsSchema,
} from '../../../schemas/imports/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { RouteContext } from '../../http/route.ts';
import type { PrincipalKind } from '../../principals.ts';
import { importAgent, importMember } from '../audiences.ts';
import { statusAnswer } from '../load-import.ts';
import { walkImports } from '../walk-imports.ts';

/** GET `/v1/console/workspaces/{workspaceId}/imports?schemaId&status`: newest first. */
export const listWorkspaceImportsRoute = importMember.get('/imports', {
  name: 'listWorkspaceImports',
  summary: 'List the imports of a workspace',
  params: workspaceParamsSchema,
  query: importsQuerySchema,
  success: { status: 200, schema: importListSchema, description: 'One page of imports' },
  handle: listImports,
});

/** GET `/v1/installations/{installationId}/svcimport/imports?schemaId&status`: newest first. */
export const listImportsRoute = importAgent.get('/imports', {
  name: 'listImports',
  summary: 'List the imports of the installation',
  params: installationParamsSchema,
  query: importsQuerySchema,
  success: { status: 200, schema: importListSchema, description: 'One page of imports' },
  handle: listImports,
});

async function listImports({
  workspace,
  query,
  services,
}: RouteContext<PrincipalKind, unknown, z.infer<typeof importsQuerySchema>, unknown, WorkspaceView>) {
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
}
