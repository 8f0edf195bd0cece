import {
  checklistAnswerSchema,
  createChecklistRequestSchema,
  installationParamsSchema,
} from '../../../schemas/activate/http.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { checkOrigins } from '../../http/allowed-origins.ts';
import { defineRoute } from '../../http/route.ts';
import { checklistAnswer } from './checklist-answer.ts';

/** POST `…/svcactivate/checklists`: a checklist with its first revision. */
export const createChecklistRoute = defineRoute({
  name: 'createChecklist',
  summary: 'Configure a new onboarding checklist',
  method: 'POST',
  path: '/v1/installations/:installationId/svcactivate/checklists',
  host: 'base',
  principal: 'project',
  product: 'svcactivate',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationParamsSchema,
  body: { kind: 'json', schema: createChecklistRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: checklistAnswerSchema, description: 'The checklist' },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { configuration, idempotencyKey } = body;
    checkOrigins(configuration, services);
    const checklistId = idFrom('checklist', services.entropy.bytes(ID_BYTES));
    const input = { checklistId, configuration };
    const command = { topic: 'activate', key: params.installationId, type: 'create-checklist' } as const;
    const result = await submit({ ...command, input, idempotencyKey });
    return { body: checklistAnswer(result, configuration) };
  },
});
