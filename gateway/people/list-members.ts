import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import {
  invitationDocumentSchema,
  memberDocumentSchema,
  organizationDocumentSchema,
} from '../../schemas/organizations/documents.ts';
import { memberListSchema } from '../../schemas/people/http.ts';
import { member } from '../audiences.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { readIdentity } from './identity-blob.ts';
import { readPerson } from './verified-identity.ts';

/** GET `/v1/console/members`: who belongs to the organization, and who is invited. */
export const listMembersRoute = member.get('/members', {
  name: 'listMembers',
  summary: 'List members and open invitations',
  success: { status: 200, schema: memberListSchema, description: 'Members and open invitations' },
  async handle({ principal, services }) {
    const { organizationId } = principal;
    const [members, invitations] = await Promise.all([
      membersOf(services, organizationId),
      invitationsOf(services, organizationId),
    ]);
    return { body: { members, invitations } };
  },
});

async function membersOf(services: GatewayServices, organizationId: string) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const rows = await services.store.list(aggregate, 'member', {
    limit: services.limits.console.membersPerOrganization,
  });
  return await Promise.all(
    rows.map(async ({ id, document }) => {
      const { personKey, role } = memberDocumentSchema.parse(document);
      const person = await readPerson(services, personKey);
      const identity = person === null ? null : await readIdentity(services, personKey, person.identityBlob);
      const lastSeenAt = isoTimeOrNull(person?.lastSeenAt ?? null);
      return { userId: id, email: identity?.email ?? '', role, lastSeenAt };
    }),
  );
}

async function invitationsOf({ store, clock }: GatewayServices, organizationId: string) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const { root } = await readAggregate(store, aggregate, organizationDocumentSchema);
  const open = (root?.openInvitations ?? []).filter(({ expiresAt }) => clock.now() < expiresAt);
  const keys = open.map(({ invitationId }) => ({ kind: 'invitation', id: invitationId }));
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, keys);
  return open.flatMap(({ invitationId, expiresAt }) => {
    const invitation = row('invitation', invitationId, invitationDocumentSchema);
    return invitation === null
      ? []
      : [{ invitationId, role: invitation.role, expiresAt: isoTime(expiresAt) }];
  });
}
