import { eraseSubjectRequestSchema, subjectErasureSchema } from '../../../schemas/activate/http.ts';
import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import { json } from '../../http/routing/audience.ts';
import { checklistOwner } from '../audiences.ts';
import { enrollmentOf } from '../subject.ts';

export const eraseSubjectRoute = checklistOwner.post('/checklists/:checklistId/erase', {
  name: 'eraseSubject',
  summary: 'Erase a subject from a checklist, with its events, keys and sessions',
  description:
    'Erases a subject: the enrollment, its events, the keys of the events and the sessions. Limits do not get back what was used.',
  whenEnded: 'allowed',
  body: json(eraseSubjectRequestSchema),
  success: { status: 200, schema: subjectErasureSchema, description: 'Whether there was anything to erase' },
  errors: ['erased'],
  async handle({ workspace, params, body, services, submit }) {
    const { installationId } = workspace;
    const { checklistId } = params;
    const enrollment = enrollmentOf(services.secrets, { installationId, checklistId, ...body });
    const input = { checklistId, cohort: body.cohort, enrollment };
    const command = { topic: 'activate', key: installationId, type: 'erase-subject' } as const;
    const { erased, erasedAt } = await submit({ ...command, input });
    return { body: { erased, erasedAt: isoTimeOrNull(erasedAt) } };
  },
});
