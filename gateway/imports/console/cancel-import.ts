import {
  emptyRequestSchema,
  importStatusSchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { requireOwnerOrAdmin } from '../../people/roles.ts';
import { defineRoute } from '../../route.ts';
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
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'json', schema: emptyRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  success: { status: 200, schema: importStatusSchema, description: 'The import, cancelled' },
  errors: ['forbidden', 'cancelled'],
  async handle({ principal, workspace, params, submit }) {
    requireOwnerOrAdmin(principal);
    const { installationId } = pathWorkspace({ workspace });
    return await cancelImport({ submit }, installationId, params.importId);
  },
});
