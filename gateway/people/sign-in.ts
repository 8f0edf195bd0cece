import { sessionSchema, signInRequestSchema } from '../../schemas/people/http.ts';
import { visitor } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { attemptFromOutside } from './attempts.ts';
import { personKeyOf } from './person-key.ts';
import { sessionAnswer } from './session-answer.ts';
import { newSession } from './session-cookie.ts';
import { verifiedPerson } from './verified-identity.ts';

/** POST `/v1/console/sign-in`. The password is verified here; only a session's digest goes into a command. */
export const signInRoute = visitor.post('/sign-in', {
  name: 'signIn',
  summary: 'Sign in with e-mail address and password',
  body: json(signInRequestSchema),
  success: { status: 200, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  async handle({ body, addressKey, services, submit }) {
    const personKey = personKeyOf(services.secrets, body.email);
    const address = addressKey();
    const person = await attemptFromOutside(services, { personKey, addressKey: address }, () =>
      verifiedPerson(services, personKey, body.password),
    );
    const { userId, identityBlob } = person;
    const { sessionDigest, setCookie } = newSession(services);
    await submit({
      topic: 'people',
      key: personKey,
      type: 'session-start',
      digestInput: { personKey },
      actor: { kind: 'user', id: userId },
      input: { identityBlob, sessionDigest, mayBelongNowhere: false, address },
    });
    return {
      body: await sessionAnswer(services, personKey, sessionDigest),
      headers: { 'Set-Cookie': setCookie },
    };
  },
});
