import type { IncomingMessage } from 'node:http';
import { isSecret, type SecretKind } from '../schemas/base/secrets.ts';
import { singleHeader } from './headers.ts';
import type { PrincipalKind, PrincipalOf } from './route.ts';
import type { GatewayServices } from './services.ts';

/**
 * Establishes who calls, or null: the credential is missing, malformed, ended or unknown, which the gateway answers
 * with 401 in one wording, so that nobody learns which of them it was.
 *
 * @throws {ServiceError} `unauthorized` for a 401 with a message of its own, where that tells nothing to a guesser.
 * @throws {EngineUnavailableError} when the answer cannot be known just now.
 */
export type Authenticator<Kind extends PrincipalKind> = (
  request: IncomingMessage,
  services: GatewayServices,
) => Promise<PrincipalOf<Kind> | null>;

/** One authenticator for each kind of principal; `none` needs none. */
export type Authenticators = {
  readonly [Kind in Exclude<PrincipalKind, 'none'>]: Authenticator<Kind>;
};

const BEARER = /^bearer +([^ ]+)$/i;

/**
 * The secret of an `Authorization: Bearer` header (RFC 6750), or null unless there is exactly one and it is a
 * well-formed secret of this kind, checksum included: a mistyped one costs no look-up.
 */
export function bearerSecret(request: IncomingMessage, kind: SecretKind): string | null {
  const header = singleHeader(request, 'authorization');
  const secret = header === null ? undefined : BEARER.exec(header)?.[1];
  return secret !== undefined && isSecret(kind, secret) ? secret : null;
}
