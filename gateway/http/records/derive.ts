import { derivedSecret, derivedSecretMatching } from '../../../schemas/base/derived-secret.ts';
import { digestOf, keyedDigest } from '../../../schemas/base/digest.ts';
import { type Fault, serviceError } from '../../../schemas/base/errors.ts';
import { type IdKind, idFrom } from '../../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import type { SecretKind } from '../../../schemas/products.ts';
import type { GatewayServices, SecretKeys } from '../../services.ts';

/**
 * Derives a secret that a repeat of its request must return: HMAC-SHA256 of `SVC_SECRET` over kind, id and number
 * (infra/docs/decisions/0019-derived-secrets.md). Only its digest is stored.
 */
export function deriveSecret(keys: SecretKeys, kind: SecretKind, id: string, number: number): string {
  return derivedSecret(keys.secret, kind, id, number);
}

/** The part of the request that holds the key of a derived secret, and the request that gets another secret. */
export type DerivedFault = Partial<Pick<Fault, 'at' | 'expected'>>;

/**
 * Derives a secret again so that it matches its stored digest, with the current key or else the previous one.
 *
 * @param fault what a refusal names
 * @throws {ServiceError} `gone` if the key that made it is no longer configured
 */
export function deriveAgain(
  keys: SecretKeys,
  kind: SecretKind,
  id: string,
  number: number,
  storedDigest: string,
  fault: DerivedFault = {},
): string {
  const secret = derivedSecretMatching([keys.secret, keys.previous], { kind, id, number }, storedDigest);
  if (secret !== null) return secret;
  throw serviceError('gone', {
    at: 'idempotencyKey',
    seen: 'a key of an earlier request whose secret can no longer be derived because SVC_SECRET was replaced',
    expected: 'a new idempotency key',
    ...fault,
  });
}

/** A secret that a creating request makes, and what a repeat of that request finds it by. */
export interface CreationSecret {
  readonly secret: string;
  readonly digest: string;
  /**
   * The secret whose digest the stored outcome names: the same, or the one that an earlier `SVC_SECRET` gave.
   *
   * @throws {ServiceError} `gone` if that key is no longer known.
   */
  again(storedDigest: string): string;
}

/**
 * Makes the secret of a creating request. With an idempotency key, the secret derives from `SVC_SECRET`, the key and
 * its scope, so that a repeat gets the same one. Without a key it is random.
 *
 * @param scope the scope in which the key is unique: operation, aggregate, and everything else that separates callers
 */
export function creationSecret(
  { secrets, entropy }: Pick<GatewayServices, 'secrets' | 'entropy'>,
  kind: SecretKind,
  idempotencyKey: string | null,
  scope: readonly string[],
): CreationSecret {
  const id = idempotencyKey === null ? null : digestOf([...scope, idempotencyKey]);
  const secret =
    id === null
      ? secretFrom(kind, entropy.bytes(SECRET_BYTES))
      : deriveSecret(secrets, kind, id, FIRST_NUMBER);
  return {
    secret,
    digest: secretDigest(secret),
    again: (storedDigest) =>
      id === null ? secret : deriveAgain(secrets, kind, id, FIRST_NUMBER, storedDigest),
  };
}

/** A request makes one secret. */
const FIRST_NUMBER = 1;

/** An id that is the same for the same parts: of a thing whose creation can be repeated, or of a person. */
export function deriveId(keys: SecretKeys, kind: IdKind, ...parts: string[]): string {
  return idFrom(kind, keyedDigest(keys.identity, kind, ...parts));
}
