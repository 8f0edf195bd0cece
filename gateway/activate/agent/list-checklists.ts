import { checklistListSchema, installationParamsSchema } from '../../../schemas/activate/http.ts';
import { defineRoute } from '../../http/route.ts';
import { listChecklists } from '../checklist-reading.ts';

/** GET `…/svcactivate/checklists`. */
export const listChecklistsRoute = defineRoute({
  name: 'listChecklists',
  summary: 'List the onboarding checklists of the installation',
  method: 'GET',
  path: '/v1/installations/:installationId/svcactivate/checklists',
  host: 'base',
  principal: 'project',
  product: 'svcactivate',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: checklistListSchema, description: 'The checklists' },
  errors: [],
  async handle({ params, services }) {
    return { body: await listChecklists(services, params.installationId) };
  },
});
