import {
  emptyRequestSchema,
  importStatusSchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { cancelImport } from '../actions.ts';
import { pathWorkspace } from '../console-workspace.ts';

/** POST `/v1/console/workspaces/{workspaceId}/imports/{importId}/cancel`: also after the approval. */
export const cancelWorkspaceImportRoute = defineRoute({
  name: 'cancelWorkspaceImport',
  summary: 'Cancel an import, as the owner',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/cancel',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'json', schema: emptyRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  success: { status: 200, schema: importStatusSchema, description: 'The import, cancelled' },
  errors: ['forbidden', 'erased'],
  async handle({ workspace, params, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    return await cancelImport({ submit }, installationId, params.importId);
  },
});
