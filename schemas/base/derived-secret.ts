import { digestsEqual, keyedDigest } from './digest.ts';
import { secretDigest, secretFrom } from './secrets.ts';

/**
 * Derives a secret that is needed again after its request: HMAC-SHA256 over kind, id and number
 * (infra/docs/decisions/0019-derived-secrets.md). Only its digest is stored.
 *
 * @param key `SVC_SECRET`
 * @param kind the word after `svc_` in the secret
 */
export function derivedSecret(key: string, kind: string, id: string, number: number): string {
  return secretFrom(kind, keyedDigest(key, kind, id, number));
}

/**
 * Derives a secret so that it matches its stored digest.
 *
 * @param keys the current one, then the previous one or null
 * @returns null if none of the keys made it
 */
export function derivedSecretMatching(
  keys: readonly (string | null)[],
  { kind, id, number }: { readonly kind: string; readonly id: string; readonly number: number },
  storedDigest: string,
): string | null {
  for (const key of keys) {
    if (key === null) continue;
    const secret = derivedSecret(key, kind, id, number);
    if (digestsEqual(secretDigest(secret), storedDigest)) return secret;
  }
  return null;
}
