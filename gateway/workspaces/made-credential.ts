import { z } from 'zod';
import { sha256Schema } from '../../schemas/base/digest.ts';
import { serviceError } from '../../schemas/base/errors.ts';
import { idSchema } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { lastFour, secretDigest } from '../../schemas/base/secrets.ts';
import type { madeCredentialSchema } from '../../schemas/workspaces/http.ts';
import { deriveAgain, deriveSecret } from '../http/derive.ts';
import type { SecretKeys } from '../http/services.ts';

/** A credential's secret of this number, as commands carry it: by its digest and last four characters. */
export function derivedCredential(keys: SecretKeys, credentialId: string, number: number) {
  const secret = deriveSecret(keys, 'project', credentialId, number);
  return { credentialId, number, digest: secretDigest(secret), lastFour: lastFour(secret) };
}

/**
 * The answer to whoever made a secret, from what the fold remembers of it: a repeat gets the same one (contract "Ids and
 * secrets").
 *
 * @throws {ServiceError} `gone` when the key that it was derived with has been replaced.
 */
export function madeCredential(keys: SecretKeys, result: JsonObject): z.infer<typeof madeCredentialSchema> {
  const { credentialId, number, digest } = madeSchema.parse(result);
  const credential = deriveAgain(keys, 'project', credentialId, number, digest);
  if (credential !== null) return { credentialId, credential };
  throw serviceError('gone', {
    at: 'body.idempotencyKey',
    seen: 'a key of an earlier request whose secret can no longer be derived because SVC_SECRET was replaced',
    expected: 'a new idempotency key',
  });
}

const madeSchema = z.strictObject({
  credentialId: idSchema('credential'),
  number: z.int().positive(),
  digest: sha256Schema,
});
