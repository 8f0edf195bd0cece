import { eventAnswerSchema, eventRequestSchema } from '../../../schemas/activate/http.ts';
import { json } from '../../http/routing/audience.ts';
import { checklistAgent } from '../audiences.ts';
import { eventAnswer, eventInput } from '../event-record.ts';
import { retryKeyOf } from '../subject.ts';

export const recordEventRoute = checklistAgent.post('/checklists/:checklistId/events', {
  name: 'recordEvent',
  summary: 'Report a milestone of a subject',
  description:
    'Reports that a subject has reached a milestone, at least once and in any order. The first accepted event enrolls the subject in the current revision.',
  whenPaused: 'refused',
  rate: 'delivery',
  grows: true,
  body: json(eventRequestSchema),
  success: {
    status: 200,
    schema: eventAnswerSchema,
    description: 'The event was accepted; the same answer again for the same key and body',
  },
  errors: ['idempotency_conflict', 'claim_required', 'limit_reached'],
  async handle({ params, body, services, submit }) {
    const { installationId } = params;
    const input = eventInput(services, params, body);
    const idempotencyKey = retryKeyOf(services.secrets, installationId, body.idempotencyKey);
    const command = { topic: 'activate', key: installationId, type: 'record-event' } as const;
    return { body: eventAnswer(await submit({ ...command, input, idempotencyKey })) };
  },
});
