import { secretDigest } from '../../schemas/base/secrets.ts';
import { consoleSessionTargetSchema } from '../../schemas/people/documents.ts';
import type { Authenticator } from '../bearer.ts';
import { findMembership, findSession } from './find-session.ts';
import { sessionSecret } from './session-cookie.ts';

/**
 * The console's cookie. The look-up only points: the person has to hold the session now, and the organization the person
 * (design rule 6).
 */
export const consolePrincipal: Authenticator<'console'> = async (request, services) => {
  const secret = sessionSecret(request, services.hosts);
  if (secret === null) return null;
  const sessionDigest = secretDigest(secret);
  const target = await services.lookups.get({ kind: 'console-session', digest: sessionDigest });
  if (target === null) return null;
  const { personKey } = consoleSessionTargetSchema.parse(target);
  const found = await findSession(services, personKey, sessionDigest);
  if (found === null) return null;
  const { userId } = found.person;
  const { organizationId } = found.session;
  if (organizationId === null) return null;
  const membership = await findMembership(services, organizationId, userId);
  if (membership === null) return null;
  const { role, organization } = membership;
  const { operator } = organization;
  return { kind: 'console', personKey, userId, sessionDigest, organizationId, role, operator };
};
