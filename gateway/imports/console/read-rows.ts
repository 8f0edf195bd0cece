import {
  rowListSchema,
  rowsQuerySchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { previewRows } from '../preview-rows.ts';

/** GET `…/imports/{importId}/rows?filter&field&code`: private rows, for owners and admins only. */
export const readRowsRoute = defineRoute({
  name: 'readImportRows',
  summary: "Look at an import's rows",
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/rows',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  query: rowsQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: rowListSchema, description: 'One page of rows' },
  errors: ['forbidden', 'state_conflict', 'expired', 'cancelled', 'erased'],
  recordsRead: { action: 'imports.read-rows' },
  async handle({ workspace, params, query, services }) {
    return { body: await previewRows(services, pathWorkspace({ workspace }), params.importId, query) };
  },
});
