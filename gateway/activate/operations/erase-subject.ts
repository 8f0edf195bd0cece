import { eraseSubjectRequestSchema, subjectErasureSchema } from '../../../schemas/activate/http.ts';
import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import { json } from '../../http/routing/audience.ts';
import { checklistOwner } from '../audiences.ts';
import { enrollmentOf, retryKeyOf } from '../subject.ts';

export const eraseSubjectRoute = checklistOwner.post('/checklists/:checklistId/erase', {
  name: 'eraseSubject',
  summary: 'Erase a subject from a checklist, with its events, keys and sessions',
  description:
    'Erases a subject: the enrollment, its events, the keys of the events and the sessions. Limits do not get back what was used. A repeat with the same `Idempotency-Key` returns the first answer.',
  whenEnded: 'allowed',
  idempotencyHeader: true,
  body: json(eraseSubjectRequestSchema),
  success: { status: 200, schema: subjectErasureSchema, description: 'Whether there was anything to erase' },
  errors: ['erased'],
  async handle({ workspace, params, body, idempotencyKey, services, submit }) {
    const { installationId } = workspace;
    const { checklistId } = params;
    const enrollment = enrollmentOf(services.secrets, { installationId, checklistId, ...body });
    const input = { checklistId, cohort: body.cohort, enrollment };
    const command = { topic: 'activate', key: installationId, type: 'erase-subject' } as const;
    const { erased, erasedAt } = await submit({
      ...command,
      input,
      // A key may name the subject.
      ...(idempotencyKey === null
        ? {}
        : { idempotencyKey: retryKeyOf(services.secrets, installationId, idempotencyKey) }),
    });
    return { body: { erased, erasedAt: isoTimeOrNull(erasedAt) } };
  },
});
