import { ServiceError } from '../../schemas/base/errors.ts';
import { isoTime } from '../../schemas/base/time.ts';
import type { SessionAnswer } from '../../schemas/people/http.ts';
import { SESSION_ENDED } from '../../schemas/people/refusals.ts';
import type { GatewayServices } from '../services.ts';
import { findMembership, findSession } from './find-session.ts';
import { readIdentity, shownIdentity } from './identity-blob.ts';

/**
 * A session as its person sees it.
 *
 * @throws {ServiceError} `session_required` when it has ended meanwhile.
 */
export async function sessionAnswer(
  services: GatewayServices,
  personKey: string,
  sessionDigest: string,
): Promise<SessionAnswer> {
  const found = await findSession(services, personKey, sessionDigest);
  if (found === null) throw new ServiceError(SESSION_ENDED);
  const { person, session } = found;
  const [identity, memberships] = await Promise.all([
    readIdentity(services, personKey, person.identityBlob),
    membershipsOf(services, person.organizationIds, person.userId),
  ]);
  const current = memberships.find(({ organizationId }) => organizationId === session.organizationId);
  if (identity === null || current === undefined) throw new ServiceError(SESSION_ENDED);
  return {
    user: {
      userId: person.userId,
      ...shownIdentity(identity),
      hasPassword: identity.passwordVerifier !== null,
    },
    organizations: memberships.map(({ organizationId, name, role }) => ({ organizationId, name, role })),
    organizationId: current.organizationId,
    operator: current.operator,
    expiresAt: isoTime(session.expiresAt),
  };
}

async function membershipsOf(services: GatewayServices, organizationIds: readonly string[], userId: string) {
  const found = await Promise.all(
    organizationIds.map(async (organizationId) => {
      const membership = await findMembership(services, organizationId, userId);
      if (membership === null) return null;
      const { organization, role } = membership;
      return { organizationId, name: organization.name, role, operator: organization.operator };
    }),
  );
  return found.filter((membership) => membership !== null);
}
