import { checklistHistorySchema, workspaceChecklistParamsSchema } from '../../../schemas/activate/http.ts';
import { defineRoute } from '../../http/route.ts';
import { pathWorkspace } from '../../imports/console-workspace.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { readHistory } from '../checklist-reading.ts';

/** GET `/v1/console/workspaces/{workspaceId}/checklists/{checklistId}`: a checklist with all its revisions. */
export const readWorkspaceChecklistRoute = defineRoute({
  name: 'readWorkspaceChecklist',
  summary: 'Read a checklist with its revisions',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/checklists/:checklistId',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  product: 'svcactivate',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceChecklistParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: checklistHistorySchema, description: 'The checklist' },
  errors: [],
  async handle({ workspace, params, services }) {
    const { installationId } = pathWorkspace({ workspace });
    return { body: await readHistory(services, installationId, params.checklistId) };
  },
});
