import { digestsEqual } from '../../schemas/base/digest.ts';
import {
  memberDocumentSchema,
  type OrganizationDocument,
  organizationDocumentSchema,
  type Role,
} from '../../schemas/organizations/documents.ts';
import {
  type ConsoleSession,
  type PersonDocument,
  personOf,
  personRootSchema,
} from '../../schemas/people/documents.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';

/** A session that its person's aggregate holds now, or null: unknown, signed out, evicted or at its end. */
export async function findSession(
  { store, clock }: Pick<GatewayServices, 'store' | 'clock'>,
  personKey: string,
  sessionDigest: string,
): Promise<{ person: PersonDocument; session: ConsoleSession } | null> {
  const { root } = await readAggregate(store, { table: 'people', id: personKey }, personRootSchema);
  const person = personOf(root);
  const session = person?.sessions.find(({ digest }) => digestsEqual(digest, sessionDigest));
  if (person === null || session === undefined || clock.now() >= session.expiresAt) return null;
  return { person, session };
}

/** A person's place in an organization, as the organization says now; null when there is none. */
export async function findMembership(
  { store }: Pick<GatewayServices, 'store'>,
  organizationId: string,
  userId: string,
): Promise<{ organization: OrganizationDocument; role: Role } | null> {
  const { root: organization, row } = await readAggregate(
    store,
    { table: 'organizations', id: organizationId },
    organizationDocumentSchema,
    [{ kind: 'member', id: userId }],
  );
  const member = row('member', userId, memberDocumentSchema);
  if (organization?.state !== 'active' || member === null) return null;
  return { organization, role: member.role };
}
