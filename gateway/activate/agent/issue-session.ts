import { z } from 'zod';
import {
  CHECKLIST_SCHEMA_VERSION,
  installationChecklistParamsSchema,
  progressSessionAnswerSchema,
  sessionRequestSchema,
} from '../../../schemas/activate/http.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { epochMsSchema, isoTime } from '../../../schemas/base/time.ts';
import { defineRoute } from '../../route.ts';
import { PROGRESS_PATH } from '../browser/progress-path.ts';
import { send } from '../send.ts';
import { enrollmentOf } from '../subject.ts';

/**
 * POST `…/checklists/{checklistId}/sessions`: lets one page read one subject's progress. The token is in this answer and
 * nowhere else, so every request issues another session.
 */
export const issueSessionRoute = defineRoute({
  name: 'issueProgressSession',
  summary: "Issue a session that reads a signed-in user's progress",
  method: 'POST',
  path: '/v1/installations/:installationId/svcactivate/checklists/:checklistId/sessions',
  host: 'base',
  principal: 'project',
  product: 'svcactivate',
  whenPaused: 'refused',
  rate: 'none',
  params: installationChecklistParamsSchema,
  body: { kind: 'json', schema: sessionRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: progressSessionAnswerSchema, description: 'The session with its token' },
  errors: ['origin_not_allowed', 'claim_required'],
  noStore: true,
  async handle({ params, body, services, submit }) {
    const { installationId, checklistId } = params;
    const { subjectDigest, cohort, origin } = body;
    const token = secretFrom('progress', services.entropy.bytes(SECRET_BYTES));
    const subject = { installationId, checklistId, cohort, subjectDigest };
    const enrollment = enrollmentOf(services.secrets, subject);
    const input = { checklistId, cohort, enrollment, origin, digest: secretDigest(token) };
    const result = await send({ submit }, installationId, 'issue-session', input);
    return {
      body: {
        schemaVersion: CHECKLIST_SCHEMA_VERSION,
        token,
        expiresAt: isoTime(resultSchema.parse(result).expiresAt),
        progressUrl: `${services.hosts.ingest}${PROGRESS_PATH}`,
      },
    };
  },
});

/** The result of `issue-session`. */
const resultSchema = z.strictObject({ expiresAt: epochMsSchema });
