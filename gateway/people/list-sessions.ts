import { isoTime } from '../../schemas/base/time.ts';
import { sessionListSchema } from '../../schemas/people/http.ts';
import { member } from '../audiences.ts';
import { readPerson } from './verified-identity.ts';

/** GET `/v1/console/sessions`: where this person is signed in. */
export const listSessionsRoute = member.get('/sessions', {
  name: 'listSessions',
  summary: 'List the own sessions',
  success: { status: 200, schema: sessionListSchema, description: 'The sessions, newest first' },
  async handle({ principal, services }) {
    const person = await readPerson(services, principal.personKey);
    const now = services.clock.now();
    const sessions = (person?.sessions ?? [])
      .filter(({ expiresAt }) => now < expiresAt)
      .map(({ digest, createdAt, expiresAt }) => ({
        sessionId: digest,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(expiresAt),
        current: digest === principal.sessionDigest,
      }));
    return { body: { sessions: sessions.reverse() } };
  },
});
