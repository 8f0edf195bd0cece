import { readStored } from '../../../schemas/base/stored.ts';
import { isoTime, isoTimeOrNull } from '../../../schemas/base/time.ts';
import { invitationBlob } from '../../../schemas/organizations/blobs.ts';
import {
  invitationDocumentSchema,
  memberDocumentSchema,
  organizationDocumentSchema,
} from '../../../schemas/organizations/documents.ts';
import { memberListSchema, memberSchema, roleRequestSchema } from '../../../schemas/people/http.ts';
import { findBlob } from '../../../topics/ports/blob-bytes.ts';
import { member, owner } from '../../audiences.ts';
import { endedSessionCookies } from '../../http/callers/session-cookie.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { readEach } from '../../http/records/readings.ts';
import { json } from '../../http/routing/audience.ts';
import { OWNER_OR_ADMIN } from '../../roles.ts';
import type { GatewayServices } from '../../services.ts';
import { requireMembership } from '../find-session.ts';
import { readIdentity, shownIdentity } from '../identity-blob.ts';
import { readPerson } from '../verified-identity.ts';

export const listMembersRoute = member.get('/members', {
  name: 'listMembers',
  summary: 'List members and open invitations',
  description: 'Returns the members of the organization and its open invitations.',
  success: { status: 200, schema: memberListSchema, description: 'Members and open invitations' },
  async handle({ principal, services }) {
    const { organizationId, role } = principal;
    const [members, invitations] = await Promise.all([
      membersOf(services, organizationId),
      invitationsOf(services, organizationId, OWNER_OR_ADMIN.includes(role)),
    ]);
    return {
      body: { members: members.found, invitations: invitations.found.flat() },
      unreadable: [...members.unreadable, ...invitations.unreadable],
    };
  },
});

async function membersOf(services: GatewayServices, organizationId: string) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const rows = await services.store.list(aggregate, 'member', {
    limit: services.limits.console.membersPerOrganization,
  });
  return await readEach(
    rows,
    ({ id }) => id,
    async ({ id, document }) => {
      const { personKey, role } = readStored(memberDocumentSchema, document);
      const person = await readPerson(services, personKey);
      const identity = person === null ? null : await readIdentity(services, personKey, person.identityBlob);
      const lastSeenAt = isoTimeOrNull(person?.lastSeenAt ?? null);
      return {
        userId: id,
        ...(identity === null ? { email: '', subject: null } : shownIdentity(identity)),
        erased: identity === null,
        role,
        hasPassword: identity !== null && identity.passwordVerifier !== null,
        lastSeenAt,
      };
    },
  );
}

async function invitationsOf(
  { store, clock, blobs }: GatewayServices,
  organizationId: string,
  withPrivate: boolean,
) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const { root } = await readAggregate(store, aggregate, organizationDocumentSchema);
  const open = (root?.openInvitations ?? []).filter(({ expiresAt }) => clock.now() < expiresAt);
  const keys = open.map(({ invitationId }) => ({ kind: 'invitation', id: invitationId }));
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, keys);
  return await readEach(
    open,
    ({ invitationId }) => invitationId,
    async ({ invitationId, expiresAt }) => {
      const invitation = row('invitation', invitationId, invitationDocumentSchema);
      if (invitation === null) return [];
      const words = withPrivate ? await findBlob(blobs, invitationBlob(organizationId, invitationId)) : null;
      const forWhom = words?.toString('utf8') ?? null;
      return [{ invitationId, role: invitation.role, forWhom, expiresAt: isoTime(expiresAt) }];
    },
  );
}

export const setMemberRoleRoute = owner.patch('/members/:userId', {
  name: 'setMemberRole',
  summary: 'Give a member another role',
  description: 'Changes the role of a member. Admins cannot change owners, and the last owner stays one.',
  body: json(roleRequestSchema),
  success: { status: 200, schema: memberSchema, description: 'The member as it is now' },
  errors: ['not_found', 'state_conflict'],
  async handle({ principal, params, body, submit }) {
    const input = { userId: params.userId, role: body.role };
    return {
      body: await submit({ topic: 'organizations', key: principal.organizationId, type: 'set-role', input }),
    };
  },
});

/** The fold knows who may remove whom. */
export const removeMemberRoute = member.delete('/members/:userId', {
  name: 'removeMember',
  summary: 'Remove a member, or leave',
  description: 'Removes a member and ends its sessions for the organization. Every member can remove itself.',
  success: { status: 204, description: 'The member is gone, and its sessions for the organization' },
  errors: ['forbidden', 'not_found', 'state_conflict'],
  async handle({ principal, params, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'remove-member', input: params });
    return {};
  },
});

export const leaveOrganizationRoute = member.delete('/memberships/:organizationId', {
  name: 'leaveOrganization',
  summary: 'Leave an organization',
  description: 'Ends the membership of the person. The last owner cannot leave.',
  success: { status: 204, description: 'The membership is gone, and the sessions for the organization' },
  errors: ['not_found', 'state_conflict'],
  async handle({ principal, params, request, services, submit }) {
    const { id: userId } = principal;
    const { organizationId } = params;
    await requireMembership(services, { organizationId, userId }, 'path.organizationId');
    await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'remove-member',
      actor: { kind: 'user', id: userId, organizationId },
      input: { userId },
    });
    const isCurrent = organizationId === principal.organizationId;
    return isCurrent ? { cookies: endedSessionCookies(request, services.hosts) } : {};
  },
});
