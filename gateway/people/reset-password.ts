import { serviceError } from '../../schemas/base/errors.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { resetTargetSchema } from '../../schemas/people/documents.ts';
import { resetPasswordRequestSchema } from '../../schemas/people/http.ts';
import { visitor } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { writeIdentity } from './identity-blob.ts';
import { createPasswordVerifier } from './password.ts';
import { readIdentified } from './verified-identity.ts';

/** POST `/v1/console/password/reset`: a new password by a one-time link; every session ends. */
export const resetPasswordRoute = visitor.post('/password/reset', {
  name: 'resetPassword',
  summary: 'Set a new password with a one-time code',
  body: json(resetPasswordRequestSchema),
  success: { status: 204, description: 'The password is set; sign in with it' },
  errors: ['not_found'],
  async handle({ body, addressKey, services, submit }) {
    const codeDigest = secretDigest(body.code);
    const target = await services.digestIndex.get({ kind: 'reset-code', digest: codeDigest });
    const personKey = target === null ? null : resetTargetSchema.parse(target).personKey;
    const found = personKey === null ? null : await readIdentified(services, personKey);
    if (personKey === null || found === null) {
      throw serviceError('not_found', {
        at: 'body.code',
        seen: 'a code that was used or has ended',
        expected: 'the code of an open reset link',
      });
    }
    const to = await writeIdentity(services, personKey, {
      email: found.identity.email,
      passwordVerifier: await createPasswordVerifier(body.password),
    });
    await submit({
      topic: 'people',
      key: personKey,
      type: 'reset-password',
      digestInput: { codeDigest },
      actor: { kind: 'user', id: found.person.userId },
      input: { codeDigest, to, address: addressKey() },
    });
    return {};
  },
});
