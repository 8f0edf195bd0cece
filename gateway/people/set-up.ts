import { serviceError } from '../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import { sessionSchema, setUpRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../route.ts';
import { writeIdentity } from './identity-blob.ts';
import { createPasswordVerifier } from './password.ts';
import { personKeyOf } from './person-key.ts';
import { sessionAnswer } from './session-answer.ts';
import { sessionCookie } from './session-cookie.ts';
import { firstOrganizationId, isSetUp, isSetUpCode } from './set-up-code.ts';

/** POST `/v1/console/set-up`: the first organization and its owner, once (contract "People"). */
export const setUpRoute = defineRoute({
  name: 'setUp',
  summary: 'Make the first organization and its owner, and sign in',
  method: 'POST',
  path: '/v1/console/set-up',
  host: 'console',
  principal: 'none',
  rate: 'management',
  body: { kind: 'json', schema: setUpRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict'],
  noStore: true,
  async handle({ body, services, submit }) {
    const { secrets, entropy, hosts, limits } = services;
    if (!isSetUpCode(secrets, body.code)) {
      throw serviceError('forbidden', "body.code: expected the code of this service's set-up link.");
    }
    // Spares the hash; it is the organization's fold that decides.
    if (await isSetUp(services.store, secrets)) {
      throw serviceError('state_conflict', 'This service has been set up already; sign in instead.');
    }
    const personKey = personKeyOf(secrets, body.email);
    const identityBlob = await writeIdentity(services, personKey, {
      email: normaliseEmail(body.email),
      passwordVerifier: await createPasswordVerifier(body.password),
    });
    const secret = secretFrom('session', entropy.bytes(SECRET_BYTES));
    const sessionDigest = secretDigest(secret);
    const organizationId = firstOrganizationId(secrets);
    const userId = idFrom('user', entropy.bytes(ID_BYTES));
    await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'set-up',
      digestInput: { organization: body.organization, personKey },
      actor: { kind: 'user', id: userId, organizationId },
      input: {
        name: body.organization,
        operator: true,
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
