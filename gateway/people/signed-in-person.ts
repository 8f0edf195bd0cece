import { serviceError } from '../../schemas/base/errors.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { readStored } from '../../schemas/base/stored.ts';
import {
  type ConsoleSession,
  consoleSessionTargetSchema,
  type PersonDocument,
} from '../../schemas/people/documents.ts';
import { sessionSecret } from '../http/callers/session-cookie.ts';
import type { IncomingHeaders } from '../http/routing/route.ts';
import type { GatewayServices } from '../services.ts';
import { findSession } from './find-session.ts';

interface FoundSession {
  readonly personKey: string;
  readonly sessionDigest: string;
  readonly person: PersonDocument;
  readonly session: ConsoleSession;
}

/** The session of a request's cookie with its person, or null: no cookie, or a session that is unknown or has ended. */
export async function sessionOf(
  request: IncomingHeaders,
  services: GatewayServices,
): Promise<FoundSession | null> {
  const secret = sessionSecret(request, services.hosts);
  return secret === null ? null : await sessionWith(secret, services);
}

/** Returns the open session with a secret, or null. */
export async function sessionWith(secret: string, services: GatewayServices): Promise<FoundSession | null> {
  const sessionDigest = secretDigest(secret);
  const target = await services.digestIndex.get({ kind: 'console-session', digest: sessionDigest });
  if (target === null) return null;
  const { personKey } = readStored(consoleSessionTargetSchema, target);
  const found = await findSession(services, personKey, sessionDigest);
  return found === null ? null : { personKey, sessionDigest, ...found };
}

/**
 * The person behind the cookie of a request that needs no role in an organization.
 *
 * @throws {ServiceError} `session_required` if the request has no valid session.
 */
export async function signedInPerson(
  request: IncomingHeaders,
  services: GatewayServices,
): Promise<{ personKey: string; userId: string; identityBlob: string }> {
  const found = await sessionOf(request, services);
  if (found === null)
    throw serviceError('session_required', {
      at: 'header.Cookie',
      seen: 'no open session',
      expected: 'one or email and password in the body',
    });
  const { userId, identityBlob } = found.person;
  return { personKey: found.personKey, userId, identityBlob };
}
