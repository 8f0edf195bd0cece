import { sessionSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../http/route.ts';
import { EVERY_MEMBER } from './roles.ts';
import { sessionAnswer } from './session-answer.ts';

/** GET `/v1/console/session`: who is signed in, and for which organization. */
export const readSessionRoute = defineRoute({
  name: 'readSession',
  summary: 'Read the own session',
  method: 'GET',
  path: '/v1/console/session',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  body: { kind: 'none' },
  success: { status: 200, schema: sessionSchema, description: 'The session' },
  errors: [],
  noStore: true,
  async handle({ principal, services }) {
    return { body: await sessionAnswer(services, principal.personKey, principal.sessionDigest) };
  },
});
