import {
  approveRequestSchema,
  importStatusSchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { send } from '../actions.ts';
import { pathWorkspace } from '../console-workspace.ts';

/** POST `/v1/console/workspaces/{workspaceId}/imports/{importId}/approve`: exactly what was validated, or nothing. */
export const approveImportRoute = defineRoute({
  name: 'approveImport',
  summary: 'Approve the exact validation of an import',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/approve',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'json', schema: approveRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import, approved' },
  errors: ['forbidden', 'conflict', 'revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  async handle({ workspace, params, body, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const { importId } = params;
    const { validationDigest } = body;
    return { body: await send({ submit }, installationId, 'approve-import', { importId, validationDigest }) };
  },
});
