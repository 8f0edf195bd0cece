import {
  importStatusSchema,
  validateRequestSchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { validateImport } from '../actions.ts';
import { pathWorkspace } from '../console-workspace.ts';

/** POST `/v1/console/workspaces/{workspaceId}/imports/{importId}/validate`: a pause does not stop the owner. */
export const validateWorkspaceImportRoute = defineRoute({
  name: 'validateWorkspaceImport',
  summary: 'Queue a validation of the import, as the owner',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/validate',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'json', schema: validateRequestSchema, limit: 'jsonBytes' },
  success: { status: 202, schema: importStatusSchema, description: 'The import, being validated' },
  errors: [
    'forbidden',
    'idempotency_conflict',
    'revision_conflict',
    'state_conflict',
    'cancelled',
    'limit_reached',
    'erased',
  ],
  async handle({ workspace, params, body, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const { idempotencyKey } = body;
    return await validateImport({ submit }, installationId, params.importId, { idempotencyKey });
  },
});
