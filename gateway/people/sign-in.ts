import { ServiceError } from '../../schemas/base/errors.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { personDocumentSchema } from '../../schemas/people/documents.ts';
import { sessionSchema, signInRequestSchema } from '../../schemas/people/http.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import { readAggregate } from '../read-aggregate.ts';
import { defineRoute } from '../route.ts';
import type { GatewayServices } from '../services.ts';
import { throttle } from '../throttle.ts';
import { readIdentity } from './identity-blob.ts';
import { verifyPassword } from './password.ts';
import { personKeyOf } from './person-key.ts';
import { sessionAnswer } from './session-answer.ts';
import { sessionCookie } from './session-cookie.ts';

/** POST `/v1/console/sign-in`. The password is verified here; only a session's digest goes into a command. */
export const signInRoute = defineRoute({
  name: 'signIn',
  summary: 'Sign in with e-mail address and password',
  method: 'POST',
  path: '/v1/console/sign-in',
  host: 'console',
  principal: 'none',
  rate: 'management',
  body: { kind: 'json', schema: signInRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  noStore: true,
  async handle({ body, addressKey, services, submit }) {
    const { secrets, entropy, hosts, limits } = services;
    const personKey = personKeyOf(secrets, body.email);
    await limitAttempts(services, personKey, addressKey);
    const identityBlob = await verifiedIdentity(services, personKey, body.password);
    const secret = secretFrom('session', entropy.bytes(SECRET_BYTES));
    const sessionDigest = secretDigest(secret);
    await submit({
      topic: 'people',
      key: personKey,
      type: 'session-start',
      digestInput: { personKey },
      input: { identityBlob, sessionDigest },
    });
    return {
      body: await sessionAnswer(services, personKey, sessionDigest),
      headers: { 'Set-Cookie': sessionCookie(hosts, secret, limits.console.sessionMs) },
    };
  },
});

/** By account and by address, right and wrong passwords alike, and for addresses that nobody has as well. */
async function limitAttempts(
  services: GatewayServices,
  personKey: string,
  addressKey: string,
): Promise<void> {
  const { signInsPerAccount, signInsPerAddress, signInWindowMs } = services.limits.console;
  await throttle(
    services,
    [
      { key: `sign-in-address:${addressKey}`, limit: signInsPerAddress, windowMs: signInWindowMs },
      { key: `sign-in-account:${personKey}`, limit: signInsPerAccount, windowMs: signInWindowMs },
    ],
    'Too many attempts to sign in; wait before the next one.',
  );
}

/**
 * The name of the identity that the password fits. An address that nobody has takes the same steps.
 *
 * @throws {ServiceError} {@link SIGN_IN_REFUSED}.
 */
async function verifiedIdentity(
  services: GatewayServices,
  personKey: string,
  password: string,
): Promise<string> {
  const person = { table: 'people', id: personKey } as const;
  const { root } = await readAggregate(services.store, person, personDocumentSchema);
  const name = root?.identityBlob ?? 'none';
  const identity = await readIdentity(services, personKey, name);
  if (!(await verifyPassword(password, identity?.passwordVerifier ?? null))) {
    throw new ServiceError(SIGN_IN_REFUSED);
  }
  return name;
}
