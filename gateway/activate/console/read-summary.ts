import {
  summaryQuerySchema,
  summarySchema,
  workspaceChecklistParamsSchema,
} from '../../../schemas/activate/http.ts';
import { defineRoute } from '../../http/route.ts';
import { pathWorkspace } from '../../imports/console-workspace.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { readSummary } from '../summary.ts';

/** GET `/v1/console/workspaces/{workspaceId}/checklists/{checklistId}/summary?revision&cohort`. */
export const readWorkspaceSummaryRoute = defineRoute({
  name: 'readWorkspaceChecklistSummary',
  summary: 'Read the counts of one revision and cohort of a checklist',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/checklists/:checklistId/summary',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  product: 'svcactivate',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceChecklistParamsSchema,
  query: summaryQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: summarySchema, description: 'The counts' },
  errors: [],
  async handle({ workspace, params, query, services }) {
    const { installationId } = pathWorkspace({ workspace });
    const of = { checklistId: params.checklistId, ...query };
    return { body: await readSummary(services, installationId, of) };
  },
});
