import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { consoleSessionTargetSchema } from '../../schemas/people/documents.ts';
import { SESSION_ENDED } from '../../schemas/people/refusals.ts';
import type { Authenticator } from '../http/bearer.ts';
import { principal } from '../principals.ts';
import { findMembership, findSession } from './find-session.ts';
import { sessionSecret } from './session-cookie.ts';

/**
 * Authenticates the console's cookie. The index entry only names the person: the person must still have the
 * session, and the organization the person (infra/docs/decisions/0009-follow-ups-with-reservation.md).
 */
export const consolePrincipal: Authenticator<'console'> = async (request, services) => {
  const secret = sessionSecret(request, services.hosts);
  if (secret === null) throw NOT_SIGNED_IN;
  const sessionDigest = secretDigest(secret);
  const target = await services.digestIndex.get({ kind: 'console-session', digest: sessionDigest });
  if (target === null) throw new ServiceError(SESSION_ENDED);
  const { personKey, ended } = consoleSessionTargetSchema.parse(target);
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
};

// Pages distinguish these by their texts, which infra/docs/errors.md lists. Each is about a session of the caller.
const NOT_SIGNED_IN = serviceError('unauthorized', {
  at: 'header.Cookie',
  seen: 'no session',
  expected: 'a session; sign in',
});
const NO_ORGANIZATION = serviceError('unauthorized', {
  at: 'header.Cookie',
  seen: 'a session of a person without an organization',
  expected: 'one of a member; accept an invitation first',
});
const NO_MEMBER = serviceError('unauthorized', {
  at: 'header.Cookie',
  seen: 'a session of a person who no longer belongs to the organization',
  expected: 'one of a member; sign in again',
});
