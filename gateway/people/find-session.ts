import { digestsEqual } from '../../schemas/base/digest.ts';
import { serviceError } from '../../schemas/base/errors.ts';
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
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { GatewayServices } from '../services.ts';

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

/** @throws {ServiceError} `not_found` for an organization that the person does not belong to. `at` names the id in the request. */
export async function requireMembership(
  services: Pick<GatewayServices, 'store'>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  at: 'path.organizationId' | 'body.organizationId',
): Promise<void> {
  if ((await findMembership(services, organizationId, userId)) !== null) return;
  throw serviceError('not_found', {
    at,
    seen: 'the id of no organization of this person',
    expected: 'the id of an organization that the person belongs to',
  });
}
