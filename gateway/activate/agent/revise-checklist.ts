import {
  checklistAnswerSchema,
  installationChecklistParamsSchema,
  reviseChecklistRequestSchema,
} from '../../../schemas/activate/http.ts';
import { checkOrigins } from '../../http/allowed-origins.ts';
import { defineRoute } from '../../http/route.ts';
import { checklistAnswer } from './checklist-answer.ts';

/** POST `…/svcactivate/checklists/{checklistId}`: the next revision of a checklist. */
export const reviseChecklistRoute = defineRoute({
  name: 'reviseChecklist',
  summary: 'Configure the next revision of an onboarding checklist',
  method: 'POST',
  path: '/v1/installations/:installationId/svcactivate/checklists/:checklistId',
  host: 'base',
  principal: 'project',
  product: 'svcactivate',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationChecklistParamsSchema,
  body: { kind: 'json', schema: reviseChecklistRequestSchema, limit: 'jsonBytes' },
  success: {
    status: 200,
    schema: checklistAnswerSchema,
    description: 'The checklist in its current revision',
  },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { configuration, expectedRevision, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const input = { checklistId: params.checklistId, expectedRevision, configuration };
    const command = { topic: 'activate', key: params.installationId, type: 'revise-checklist' } as const;
    const result = await submit({ ...command, input, idempotencyKey });
    return { body: checklistAnswer(result, configuration) };
  },
});
