import { serviceError } from '../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import { sessionSchema, signUpRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../route.ts';
import { throttle } from '../throttle.ts';
import { writeIdentity } from './identity-blob.ts';
import { createPasswordVerifier } from './password.ts';
import { personKeyOf } from './person-key.ts';
import { sessionAnswer } from './session-answer.ts';
import { sessionCookie } from './session-cookie.ts';

/** POST `/v1/console/sign-up`: a person with an organization of its own, where the policy is `open` (contract "People"). */
export const signUpRoute = defineRoute({
  name: 'signUp',
  summary: 'Make an organization and its owner, and sign in',
  method: 'POST',
  path: '/v1/console/sign-up',
  host: 'console',
  principal: 'none',
  rate: 'management',
  body: { kind: 'json', schema: signUpRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict', 'rate_limited'],
  noStore: true,
  async handle({ body, addressKey, services, submit }) {
    const { secrets, entropy, hosts, limits, signUp } = services;
    if (signUp !== 'open') {
      throw serviceError(
        'forbidden',
        'Sign-up is closed here; ask an owner of an organization for an invitation.',
      );
    }
    const limit = limits.console.signUpsPerAddressDay;
    const rule = { key: `sign-up-address:${addressKey}`, limit, windowMs: DAY_MS };
    await throttle(services, [rule], `At most ${limit} people a day may sign up from one address.`);
    const personKey = personKeyOf(secrets, body.email);
    const identityBlob = await writeIdentity(services, personKey, {
      email: normaliseEmail(body.email),
      passwordVerifier: await createPasswordVerifier(body.password),
    });
    const secret = secretFrom('session', entropy.bytes(SECRET_BYTES));
    const sessionDigest = secretDigest(secret);
    const organizationId = idFrom('organization', entropy.bytes(ID_BYTES));
    const userId = idFrom('user', entropy.bytes(ID_BYTES));
    await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'set-up',
      digestInput: { organization: body.organization, personKey },
      actor: { kind: 'user', id: userId, organizationId },
      input: {
        name: body.organization,
        operator: false,
        personKey,
        userId,
        identityBlob,
        sessionDigest,
      },
    });
    return {
      body: await sessionAnswer(services, personKey, sessionDigest),
      headers: { 'Set-Cookie': sessionCookie(hosts, secret, limits.console.sessionMs) },
    };
  },
});
