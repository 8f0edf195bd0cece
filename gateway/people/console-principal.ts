import type { IncomingMessage } from 'node:http';
import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { consoleSessionTargetSchema } from '../../schemas/people/documents.ts';
import { SESSION_ENDED } from '../../schemas/people/refusals.ts';
import type { Authenticator } from '../http/callers/bearer.ts';
import { sessionSecret } from '../http/callers/session-cookie.ts';
import { principal } from '../principals.ts';
import type { GatewayServices } from '../services.ts';
import { findMembership, findSession } from './find-session.ts';

/**
 * Authenticates the console's cookie. The index entry only names the person: the person must still have the
 * session, and the organization the person (infra/docs/decisions/0009-follow-ups-with-reservation.md).
 */
export const consolePrincipal: Authenticator<'console'> = async (request, services) => {
  const secret = sessionSecret(request, services.hosts);
  if (secret === null) throw NOT_SIGNED_IN;
  const sessionDigest = secretDigest(secret);
  const { operators } = services;
  const find = async () => {
    const found = await findPerson(services, sessionDigest);
    operators.note(found);
    return found;
  };
  try {
    if (!isForOutages(request)) return await find();
    return await operators.ask(sessionDigest, find, ({ operator }) => operator);
  } catch (error) {
    if (error instanceof ServiceError) operators.forget(sessionDigest);
    throw error;
  }
};

/** True for a read that operators need while an engine is down: the numbers of the service, and the session of the page itself. */
function isForOutages({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && (url.startsWith('/v1/ops/') || url === '/v1/console/session');
}

async function findPerson(services: GatewayServices, sessionDigest: string) {
  const target = await services.digestIndex.get({ kind: 'console-session', digest: sessionDigest });
  if (target === null) throw new ServiceError(SESSION_ENDED);
  const { personKey, ended } = readStored(consoleSessionTargetSchema, target);
  if (ended === 'left') throw NO_MEMBER;
  const found = await findSession(services, personKey, sessionDigest);
  if (found === null) throw new ServiceError(SESSION_ENDED);
  const { userId: id } = found.person;
  const { organizationId } = found.session;
  if (organizationId === null) throw NO_ORGANIZATION;
  const membership = await findMembership(services, organizationId, id);
  if (membership === null) throw NO_MEMBER;
  const { role, organization } = membership;
  const { operator } = organization;
  return principal('console', { id, organizationId, role, operator, personKey, sessionDigest });
}

const NOT_SIGNED_IN = serviceError('session_required', {
  at: 'header.Cookie',
  seen: 'no session',
  expected: 'a session; sign in',
});
const NO_ORGANIZATION = serviceError('organization_required', {
  at: 'header.Cookie',
  seen: 'a session of a person without an organization',
  expected: 'one of a member; accept an invitation first',
});
const NO_MEMBER = serviceError('membership_ended', {
  at: 'header.Cookie',
  seen: 'a session of a person who no longer belongs to the organization',
  expected: 'one of a member; sign in again',
});
