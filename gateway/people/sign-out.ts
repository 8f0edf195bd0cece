import { signOutRequestSchema } from '../../schemas/people/http.ts';
import { visitor } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { endedSessionCookie } from './session-cookie.ts';
import { sessionOf } from './signed-in-person.ts';

/**
 * POST `/v1/console/sign-out`: ends the session everywhere at once. It also takes the cookie of an ended session away, so it
 * needs no session.
 */
export const signOutRoute = visitor.post('/sign-out', {
  name: 'signOut',
  summary: 'End the session',
  body: json(signOutRequestSchema),
  success: { status: 204, description: 'The session has ended, and the cookie is gone' },
  async handle({ request, services, submit }) {
    const found = await sessionOf(request, services);
    if (found !== null) {
      const { personKey, sessionDigest, person, session } = found;
      const { organizationId } = session;
      await submit({
        topic: 'people',
        key: personKey,
        type: 'session-end',
        digestInput: {},
        actor: {
          kind: 'user',
          id: person.userId,
          ...(organizationId === null ? {} : { organizationId }),
        },
        input: { sessionDigest },
      });
    }
    return { headers: { 'Set-Cookie': endedSessionCookie(services.hosts) } };
  },
});
