import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { type ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import { isSecret, secretDigest } from '../../../schemas/base/secrets.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import type { SecretKind } from '../../../schemas/products.ts';
import type { IndexKind } from '../../../topics/ports/digest-index.ts';
import { type CredentialedKind, PRINCIPALS, type PrincipalKind, type PrincipalOf } from '../../principals.ts';
import type { GatewayServices } from '../../services.ts';
import { singleHeader } from '../headers.ts';
import type { IncomingHeaders } from '../routing/route.ts';
import { unknownCredential } from './unknown-credential.ts';

/**
 * Returns the caller, or null if the credential is missing, malformed, ended or unknown. The gateway answers null
 * with {@link unauthorized}.
 *
 * @param addressKey the request's address, for what is limited by it
 * @throws {ServiceError} `unauthorized` for a 401 with a separate message, where that tells nothing to a guesser.
 * @throws {EngineUnavailableError} when the answer cannot be known just now.
 */
export type Authenticator<Kind extends PrincipalKind> = (
  request: IncomingMessage,
  services: GatewayServices,
  addressKey?: () => string,
) => Promise<PrincipalOf<Kind> | null>;

/** One authenticator for each kind of principal; `none` needs none. */
export type Authenticators = {
  readonly [Kind in CredentialedKind]: Authenticator<Kind>;
};

const BEARER = /^bearer +([^ ]+)$/i;

/**
 * The secret of an `Authorization: Bearer` header (RFC 6750), or null unless there is exactly one and it is a
 * well-formed secret of this kind, checksum included: a mistyped one costs no look-up.
 */
export function bearerSecret(request: IncomingHeaders, kind: SecretKind): string | null {
  const header = singleHeader(request, 'authorization');
  const secret = header === null ? undefined : BEARER.exec(header)?.[1];
  return secret !== undefined && isSecret(kind, secret) ? secret : null;
}

/** Which secret a caller presents, and what the look-up of its digest leads to. */
export interface PointedSecret<Target> {
  readonly secret: SecretKind;
  readonly indexKind: IndexKind;
  readonly target: z.ZodType<Target>;
}

/**
 * Returns the target of a request's bearer secret, with the secret's digest; null for a missing, malformed or unknown
 * secret. The index entry alone proves nothing: the target's aggregate decides if the credential is still valid.
 *
 * @throws {EngineUnavailableError} if the index does not answer
 */
export async function bearerTarget<Target>(
  request: IncomingHeaders,
  { digestIndex }: Pick<GatewayServices, 'digestIndex'>,
  { secret: kind, indexKind, target }: PointedSecret<Target>,
): Promise<{ readonly digest: string; readonly target: Target } | null> {
  const secret = bearerSecret(request, kind);
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const found = await digestIndex.get({ kind: indexKind, digest });
  return found === null ? null : { digest, target: readStored(target, found) };
}

/**
 * Returns the refusal of an unknown caller. It distinguishes a missing and a malformed credential from others. It
 * does not reveal if a well-formed one is unknown, ended or erased.
 */
export function unauthorized(kind: PrincipalKind, request: IncomingMessage): ServiceError {
  const { credential } = PRINCIPALS[kind];
  if (credential.form !== 'bearer') {
    return serviceError('session_required', {
      at: 'header.Cookie',
      seen: 'no session',
      expected: 'a session; sign in',
    });
  }
  const { prefixes, isOne } = credential;
  const header = singleHeader(request, 'authorization');
  const seen = describeCredential(header, isOne);
  if (seen === null) return unknownCredential();
  return serviceError('unauthorized', {
    at: 'header.Authorization',
    seen: `${seen}`,
    expected: `Bearer and a credential that begins with ${prefixes.join(' or ')}`,
  });
}

/** Describes the fault in the form of an `Authorization` header, or returns null if there is none. */
function describeCredential(header: string | null, isOne: (text: string) => boolean): string | null {
  if (header === null) return 'nothing';
  if (header === 'repeated') return 'more than one';
  return isOne(header.replace(/^bearer +/i, '')) ? null : 'another form or a typing error';
}
