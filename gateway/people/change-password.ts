import { changePasswordRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../http/route.ts';
import { attemptWithSession } from './attempts.ts';
import { readIdentity, writeIdentity } from './identity-blob.ts';
import { createPasswordVerifier } from './password.ts';
import { EVERY_MEMBER } from './roles.ts';
import { verifiedPerson } from './verified-identity.ts';

/** POST `/v1/console/password`: a new password; every other session ends. */
export const changePasswordRoute = defineRoute({
  name: 'changePassword',
  summary: 'Change the own password',
  method: 'POST',
  path: '/v1/console/password',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  body: { kind: 'json', schema: changePasswordRequestSchema, limit: 'jsonBytes' },
  success: { status: 204, description: 'The password is changed; other sessions have ended' },
  errors: ['unauthorized', 'rate_limited'],
  noStore: true,
  async handle({ principal, body, services, submit }) {
    const { personKey, sessionDigest } = principal;
    const { identityBlob: from } = await attemptWithSession(services, sessionDigest, () =>
      verifiedPerson(services, personKey, body.current),
    );
    const identity = await readIdentity(services, personKey, from);
    const to = await writeIdentity(services, personKey, {
      email: identity?.email ?? '',
      passwordVerifier: await createPasswordVerifier(body.next),
    });
    await submit({
      topic: 'people',
      key: personKey,
      type: 'change-password',
      digestInput: { personKey },
      input: { from, to, sessionDigest },
    });
    return {};
  },
});
