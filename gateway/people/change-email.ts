import { serviceError } from '../../schemas/base/errors.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import { changeEmailRequestSchema } from '../../schemas/people/http.ts';
import { member } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { attemptWithSession } from './attempts.ts';
import { writeIdentity } from './identity-blob.ts';
import { personKeyOf } from './person-key.ts';
import { newSession } from './session-cookie.ts';
import { readIdentified, verifiedPerson } from './verified-identity.ts';

/** POST `/v1/console/email`: another address for the same person; every other session ends. */
export const changeEmailRoute = member.post('/email', {
  name: 'changeEmail',
  summary: 'Change the own e-mail address',
  body: json(changeEmailRequestSchema),
  success: { status: 204, description: 'The address is changed; other sessions have ended' },
  errors: ['unauthorized', 'state_conflict', 'rate_limited'],
  async handle({ principal, body, services, submit }) {
    const { personKey, id: userId, sessionDigest } = principal;
    const passwordVerifier = (await readIdentified(services, personKey))?.identity.passwordVerifier ?? null;
    if (passwordVerifier === null) {
      throw serviceError('state_conflict', {
        at: 'caller.identity',
        seen: 'a person who signs in with an identity provider',
        expected: 'one who signs in with a password; change the address at the provider',
      });
    }
    const { identityBlob: from } = await attemptWithSession(services, sessionDigest, () =>
      verifiedPerson(services, personKey, body.password),
    );
    const nextKey = personKeyOf(services.secrets, body.email);
    // Also the answer to a repeat whose first answer was lost.
    if (nextKey === personKey) return {};
    const email = normaliseEmail(body.email);
    const to = await writeIdentity(services, nextKey, { email, passwordVerifier });
    const { sessionDigest: nextSessionDigest, setCookie } = newSession(services);
    await submit({
      topic: 'people',
      key: nextKey,
      type: 'reserve-address',
      digestInput: { personKey, nextKey },
      input: { personKey, userId, from, to, sessionDigest, nextSessionDigest },
    });
    return { headers: { 'Set-Cookie': setCookie } };
  },
});
