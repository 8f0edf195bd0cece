import type { z } from 'zod';
import { workspaceImportListSchema } from '../../../schemas/imports/console-http.ts';
import { importListSchema, importsQuerySchema } from '../../../schemas/imports/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../../services.ts';
import { importAgent, importMember } from '../audiences.ts';
import { readFileName } from '../file-name.ts';
import { statusAnswer } from '../load-import.ts';
import { type ImportPage, walkImports } from '../walk-imports.ts';

/** Members see no names of files. */
export const listWorkspaceImportsRoute = importMember.get('/imports', {
  name: 'listWorkspaceImports',
  summary: 'List the imports of a workspace',
  description: 'Returns imports of the workspace, newest first.',
  query: importsQuerySchema,
  success: { status: 200, schema: workspaceImportListSchema, description: 'One page of imports' },
  async handle({ principal, workspace, query, services }) {
    const { imports, unreadable, nextCursor } = await pageOfImports(services, workspace, query);
    const showsNames = principal.role !== 'member';
    const listed = imports.map(async (loaded) => ({
      ...statusAnswer(services, loaded),
      fileName: showsNames ? await readFileName(services, workspace.installationId, loaded) : null,
    }));
    return { body: { imports: await Promise.all(listed), nextCursor }, unreadable };
  },
});

export const listImportsRoute = importAgent.get('/imports', {
  name: 'listImports',
  summary: 'List the imports of the installation',
  description: 'Returns imports of the installation, newest first: status and counts, no row.',
  query: importsQuerySchema,
  success: { status: 200, schema: importListSchema, description: 'One page of imports' },
  async handle({ workspace, query, services }) {
    const { imports, unreadable, nextCursor } = await pageOfImports(services, workspace, query);
    const listed = imports.map((loaded) => statusAnswer(services, loaded));
    return { body: { imports: listed, nextCursor }, unreadable };
  },
});

async function pageOfImports(
  services: GatewayServices,
  workspace: WorkspaceView,
  { schemaId, status, cursor, limit }: z.infer<typeof importsQuerySchema>,
): Promise<ImportPage> {
  return await walkImports(services, workspace, {
    index: { kind: 'timeline' },
    cursor,
    limit,
    accepts: ({ document, effective }) =>
      (schemaId === undefined || document.schemaId === schemaId) &&
      (status === undefined || effective.status === status),
  });
}
