import { sessionSchema } from '../../schemas/people/http.ts';
import { member } from '../audiences.ts';
import { sessionAnswer } from './session-answer.ts';

/** GET `/v1/console/session`: who is signed in, and for which organization. */
export const readSessionRoute = member.get('/session', {
  name: 'readSession',
  summary: 'Read the own session',
  success: { status: 200, schema: sessionSchema, description: 'The session' },
  async handle({ principal, services }) {
    return { body: await sessionAnswer(services, principal.personKey, principal.sessionDigest) };
  },
});
