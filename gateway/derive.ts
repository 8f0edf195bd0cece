import { digestsEqual, keyedDigest } from '../schemas/base/digest.ts';
import { type IdKind, idFrom } from '../schemas/base/ids.ts';
import { type SecretKind, secretDigest, secretFrom } from '../schemas/base/secrets.ts';
import type { SecretKeys } from './services.ts';

/**
 * A secret that a repeat of the request must return: HMAC-SHA256 of `SVC_SECRET` over kind, id and number (design
 * rule 10). Only its digest is stored anywhere.
 */
export function deriveSecret(keys: SecretKeys, kind: SecretKind, id: string, number: number): string {
  return secretFrom(kind, keyedDigest(keys.secret, kind, id, number));
}

/**
 * Derives a secret again so that it matches the digest that was stored when it was made: with the current key, else with
 * the previous one. Null when the key it was made with is gone.
 */
export function deriveAgain(
  keys: SecretKeys,
  kind: SecretKind,
  id: string,
  number: number,
  storedDigest: string,
): string | null {
  for (const key of [keys.secret, keys.previous]) {
    if (key === null) continue;
    const secret = secretFrom(kind, keyedDigest(key, kind, id, number));
    if (digestsEqual(secretDigest(secret), storedDigest)) return secret;
  }
  return null;
}

/** An id that is the same for the same parts: of a thing whose creation can be repeated, or of a person. */
export function deriveId(keys: SecretKeys, kind: IdKind, ...parts: string[]): string {
  return idFrom(kind, keyedDigest(keys.identity, kind, ...parts));
}
