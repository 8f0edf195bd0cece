import {
  CHECKLIST_SCHEMA_VERSION,
  progressSessionAnswerSchema,
  sessionRequestSchema,
} from '../../../schemas/activate/http.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { creationSecret } from '../../http/records/derive.ts';
import { json } from '../../http/routing/audience.ts';
import { checklistAgent } from '../audiences.ts';
import { enrollmentOf, retryKeyOf } from '../subject.ts';
import { readProgressRoute } from './read-progress.ts';

/** Every request issues another session, unless it repeats an `Idempotency-Key`: then it returns the same token. */
export const issueSessionRoute = checklistAgent.post('/checklists/:checklistId/sessions', {
  name: 'issueProgressSession',
  summary: "Issue a session that reads a signed-in user's progress",
  description:
    'Issues a token with which one page reads the progress of one subject. Call it from your backend, and derive the subject from the signed-in user.',
  whenPaused: 'refused',
  rate: 'none',
  body: json(sessionRequestSchema),
  idempotencyHeader: true,
  success: { status: 201, schema: progressSessionAnswerSchema, description: 'The session with its token' },
  errors: ['origin_not_allowed', 'claim_required', 'gone'],
  noStore: true,
  async handle({ params, body, idempotencyKey, services, submit }) {
    const { installationId, checklistId } = params;
    const { subjectDigest, cohort, origin } = body;
    const scope = ['issueProgressSession', installationId, checklistId];
    const token = creationSecret(services, 'progress', idempotencyKey, scope);
    const subject = { installationId, checklistId, cohort, subjectDigest };
    const enrollment = enrollmentOf(services.secrets, subject);
    const asked = { checklistId, cohort, enrollment, origin };
    const input = { ...asked, digest: token.digest };
    const { digest, expiresAt } = await submit({
      topic: 'activate',
      key: installationId,
      type: 'issue-session',
      input,
      digestInput: asked,
      // A customer may have made the key from what identifies its user.
      ...(idempotencyKey === null
        ? {}
        : { idempotencyKey: retryKeyOf(services.secrets, installationId, idempotencyKey) }),
    });
    return {
      body: {
        schemaVersion: CHECKLIST_SCHEMA_VERSION,
        token: token.again(digest),
        expiresAt: isoTime(expiresAt),
        progressUrl: `${services.hosts.ingest}${readProgressRoute.path}`,
      },
    };
  },
});
