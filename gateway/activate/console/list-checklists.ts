import { checklistListSchema, workspaceParamsSchema } from '../../../schemas/activate/http.ts';
import { defineRoute } from '../../http/route.ts';
import { pathWorkspace } from '../../imports/console-workspace.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { listChecklists } from '../checklist-reading.ts';

/** GET `/v1/console/workspaces/{workspaceId}/checklists`. */
export const listWorkspaceChecklistsRoute = defineRoute({
  name: 'listWorkspaceChecklists',
  summary: 'List the onboarding checklists of a workspace',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/checklists',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  product: 'svcactivate',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: checklistListSchema, description: 'The checklists' },
  errors: [],
  async handle({ workspace, services }) {
    return { body: await listChecklists(services, pathWorkspace({ workspace }).installationId) };
  },
});
