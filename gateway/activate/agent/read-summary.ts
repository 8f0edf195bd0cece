import {
  installationChecklistParamsSchema,
  summaryQuerySchema,
  summarySchema,
} from '../../../schemas/activate/http.ts';
import { defineRoute } from '../../http/route.ts';
import { readSummary } from '../summary.ts';

/** GET `…/checklists/{checklistId}/summary?revision&cohort`. */
export const readSummaryRoute = defineRoute({
  name: 'readChecklistSummary',
  summary: 'Read the counts of one revision and cohort',
  method: 'GET',
  path: '/v1/installations/:installationId/svcactivate/checklists/:checklistId/summary',
  host: 'base',
  principal: 'project',
  product: 'svcactivate',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationChecklistParamsSchema,
  query: summaryQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: summarySchema, description: 'The counts' },
  errors: [],
  async handle({ params, query, services }) {
    const { installationId, checklistId } = params;
    return { body: await readSummary(services, installationId, { checklistId, ...query }) };
  },
});
