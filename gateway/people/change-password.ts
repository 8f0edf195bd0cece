import { changePasswordRequestSchema } from '../../schemas/people/http.ts';
import { member } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { attemptWithSession } from './attempts.ts';
import { readIdentity, writeIdentity } from './identity-blob.ts';
import { createPasswordVerifier } from './password.ts';
import { verifiedPerson } from './verified-identity.ts';

/** POST `/v1/console/password`: a new password; every other session ends. */
export const changePasswordRoute = member.post('/password', {
  name: 'changePassword',
  summary: 'Change the own password',
  body: json(changePasswordRequestSchema),
  success: { status: 204, description: 'The password is changed; other sessions have ended' },
  errors: ['unauthorized', 'rate_limited'],
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
