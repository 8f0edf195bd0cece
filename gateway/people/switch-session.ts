import { sessionSchema, switchSessionRequestSchema } from '../../schemas/people/http.ts';
import { member } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { requireMembership } from './find-session.ts';
import { sessionAnswer } from './session-answer.ts';

/** POST `/v1/console/session`: the session acts for another organization of the person. */
export const switchSessionRoute = member.post('/session', {
  name: 'switchSession',
  summary: 'Act for another organization',
  body: json(switchSessionRequestSchema),
  success: { status: 200, schema: sessionSchema, description: 'The session as it is now' },
  errors: ['not_found'],
  async handle({ principal, body, services, submit }) {
    const { personKey, sessionDigest, id: userId } = principal;
    const { organizationId } = body;
    await requireMembership(services, { organizationId, userId }, 'body.organizationId');
    await submit({
      topic: 'people',
      key: personKey,
      type: 'session-switch',
      input: { sessionDigest, organizationId },
    });
    return { body: await sessionAnswer(services, personKey, sessionDigest) };
  },
});
