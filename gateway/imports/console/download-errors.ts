import { workspaceImportParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { rejectedRowsCsv } from '../rejected-rows.ts';

/** GET `…/imports/{importId}/errors.csv`: the rejected rows for a spreadsheet, for owners and admins only. */
export const downloadErrorsRoute = defineRoute({
  name: 'downloadImportErrors',
  summary: "Download an import's rejected rows",
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/errors.csv',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'none' },
  success: {
    status: 200,
    attachment: 'text/csv',
    description: 'The rows with their faults; safe to open in a spreadsheet',
  },
  errors: ['forbidden', 'state_conflict', 'expired', 'cancelled', 'erased'],
  recordsRead: { action: 'imports.download-errors' },
  async handle({ workspace, params, services }) {
    const { importId } = params;
    const text = await rejectedRowsCsv(services, pathWorkspace({ workspace }), importId);
    return { attachment: { contentType: 'text/csv', fileName: `rejected-rows-${importId}.csv`, text } };
  },
});
