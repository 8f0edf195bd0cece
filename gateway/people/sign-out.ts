import { signOutRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../route.ts';
import { EVERY_MEMBER } from './roles.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** POST `/v1/console/sign-out`: ends the session everywhere at once. */
export const signOutRoute = defineRoute({
  name: 'signOut',
  summary: 'End the session',
  method: 'POST',
  path: '/v1/console/sign-out',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  body: { kind: 'json', schema: signOutRequestSchema, limit: 'jsonBytes' },
  success: { status: 204, description: 'The session has ended' },
  errors: [],
  noStore: true,
  async handle({ principal, services, submit }) {
    const { personKey, sessionDigest } = principal;
    await submit({
      topic: 'people',
      key: personKey,
      type: 'session-end',
      digestInput: {},
      input: { sessionDigest },
    });
    return { headers: { 'Set-Cookie': endedSessionCookie(services.hosts) } };
  },
});
