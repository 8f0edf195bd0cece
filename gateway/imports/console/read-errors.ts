import {
  errorListSchema,
  listQuerySchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { previewErrors } from '../preview-errors.ts';

/** GET `…/imports/{importId}/errors`: row errors with the cells they are about, for owners and admins only. */
export const readErrorsRoute = defineRoute({
  name: 'readImportErrors',
  summary: "Look at an import's row errors",
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/errors',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  query: listQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: errorListSchema, description: 'One page of row errors' },
  errors: ['forbidden', 'state_conflict', 'expired', 'cancelled', 'erased'],
  recordsRead: { action: 'imports.read-errors' },
  async handle({ workspace, params, query, services }) {
    return { body: await previewErrors(services, pathWorkspace({ workspace }), params.importId, query) };
  },
});
