import { signOutRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../http/route.ts';
import { endedSessionCookie } from './session-cookie.ts';
import { sessionOf } from './signed-in-person.ts';

/**
 * POST `/v1/console/sign-out`: ends the session everywhere at once. It also takes the cookie of an ended session away, so it
 * needs no session.
 */
export const signOutRoute = defineRoute({
  name: 'signOut',
  summary: 'End the session',
  method: 'POST',
  path: '/v1/console/sign-out',
  host: 'console',
  principal: 'none',
  rate: 'management',
  body: { kind: 'json', schema: signOutRequestSchema, limit: 'jsonBytes' },
  success: { status: 204, description: 'The session has ended, and the cookie is gone' },
  errors: [],
  noStore: true,
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
