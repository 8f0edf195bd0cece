import { digestsEqual } from '../../schemas/base/digest.ts';
import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { InvitationDocument, OrganizationDocument } from '../../schemas/organizations/documents.ts';
import { mayManage } from '../../schemas/organizations/roles.ts';
import { PERSON_BLOB_GROUP } from '../../schemas/people/documents.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { actingMember, beyondRole } from './members.ts';
import {
  NOTED,
  type OrganizationInput,
  type OrganizationResult,
  type OrganizationView,
  type UserCommand,
} from './result.ts';

/** A one-time invitation for one person, in a role that whoever invites may give. */
export function invite(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'invite'> },
  context: FoldContext,
  limits: Limits,
): OrganizationResult {
  const { invitationId, role, codeDigest } = command.input;
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  if (!mayManage(acting.role, role)) return refused(beyondRole(role));
  const { invitationsOpen, invitationMs } = limits.console;
  const open = acting.root.openInvitations.filter(({ expiresAt }) => context.now < expiresAt);
  if (open.length >= invitationsOpen) {
    return refused(
      refusal('limit_reached', {
        at: 'organization.invitations',
        seen: `${open.length} that are open`,
        expected: `fewer; at most ${invitationsOpen} may be open at once`,
      }),
    );
  }
  const expiresAt = context.now + invitationMs;
  const ended = acting.root.openInvitations.filter((invitation) => !open.includes(invitation));
  return {
    outcome: { kind: 'done', result: { invitationId, expiresAt } },
    root: { ...acting.root, openInvitations: [...open, { invitationId, expiresAt }] },
    put: [
      {
        kind: 'invitation',
        id: invitationId,
        document: { role, digest: codeDigest, createdAt: context.now, expiresAt, acceptedBy: null },
      },
    ],
    remove: ended.map((invitation) => ({ kind: 'invitation', id: invitation.invitationId })),
    effects: [
      {
        kind: 'lookup',
        lookup: {
          kind: 'invitation-code',
          digest: codeDigest,
          target: { organizationId: context.aggregate, invitationId },
          expiresAt,
        },
      },
    ],
    audit: { role },
  };
}

/** Takes an open invitation back. */
export function revokeInvitation(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'revoke-invitation'> },
): OrganizationResult {
  const { invitationId } = command.input;
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  const invitation = view.row('invitation', invitationId);
  if (invitation === null || invitation.acceptedBy !== null) return refused(NO_INVITATION);
  if (!mayManage(acting.role, invitation.role)) return refused(beyondRole(invitation.role));
  return {
    outcome: { kind: 'done', result: {} },
    root: withoutInvitation(acting.root, invitationId),
    remove: [{ kind: 'invitation', id: invitationId }],
    effects: [endLookup(invitation)],
  };
}

const NO_INVITATION = refusal('not_found', {
  at: 'invitation',
  seen: 'none that is open',
  expected: 'one that was not used or revoked and has not ended',
});

/**
 * Lets the person of a code join, whose fold answers. The member is there at once, so that the session which the answer
 * brings holds everywhere; a person who cannot join gives the place and the invitation back.
 */
export function acceptInvitation(
  view: OrganizationView,
  input: OrganizationInput<'accept-invitation'>,
  context: FoldContext,
  limits: Limits,
): OrganizationResult {
  const { invitationId, codeDigest, personKey, userId, identityBlob, isNew, sessionDigest } = input;
  const { root } = view;
  const invitation = view.row('invitation', invitationId);
  const refuse = (reason: typeof NO_INVITATION): OrganizationResult => ({
    outcome: { kind: 'refused', refusal: reason },
    effects: isNew ? [removeIdentity(personKey, identityBlob)] : [],
  });
  if (root?.state === 'active' && invitation?.acceptedBy === userId && !isNew) {
    const isMember = view.row('member', userId) !== null;
    return isMember && digestsEqual(invitation.digest, codeDigest)
      ? signInAgain(input, context)
      : refuse(NO_INVITATION);
  }
  if (root?.state !== 'active' || invitation === null || !isOpen(invitation, codeDigest, context.now)) {
    return refuse(NO_INVITATION);
  }
  if (view.row('member', userId) !== null) return refuse(ALREADY_MEMBER);
  if (root.members >= limits.console.membersPerOrganization) {
    return refuse(
      refusal('limit_reached', {
        at: 'organization.members',
        seen: `${root.members} members`,
        expected: `fewer; at most ${limits.console.membersPerOrganization} are allowed`,
      }),
    );
  }
  return {
    outcome: { kind: 'deferred' },
    root: {
      ...withoutInvitation(root, invitationId),
      members: root.members + 1,
      owners: root.owners + Number(invitation.role === 'owner'),
    },
    put: [
      { kind: 'invitation', id: invitationId, document: { ...invitation, acceptedBy: userId } },
      { kind: 'member', id: userId, document: { personKey, role: invitation.role, joinedAt: context.now } },
    ],
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: personKey,
        type: 'join',
        input: {
          invitationId,
          organizationId: context.aggregate,
          userId,
          identityBlob,
          isNew,
          sessionDigest,
        },
        answers: true,
      },
    ],
  };
}

/** Answers a repeated acceptance by a member with a session for this organization, like the first one. */
function signInAgain(
  { personKey, identityBlob, sessionDigest }: OrganizationInput<'accept-invitation'>,
  { aggregate: organizationId }: FoldContext,
): OrganizationResult {
  return {
    outcome: { kind: 'deferred' },
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: personKey,
        type: 'session-start',
        input: { identityBlob, sessionDigest, mayBelongNowhere: false, organizationId },
        answers: true,
      },
    ],
  };
}

const ALREADY_MEMBER = refusal('state_conflict', {
  at: 'caller',
  seen: 'a member of the organization',
  expected: 'a person who is not',
});

/** The person could not join: the invitation is open again, and the member was never one. */
export function releaseInvitation(
  view: OrganizationView,
  { invitationId, userId }: OrganizationInput<'invitation-released'>,
): OrganizationResult {
  const invitation = view.row('invitation', invitationId);
  if (view.root === null || invitation === null || invitation.acceptedBy !== userId) return NOTED;
  return {
    ...NOTED,
    root: {
      ...view.root,
      members: view.root.members - 1,
      owners: view.root.owners - Number(invitation.role === 'owner'),
      openInvitations: [...view.root.openInvitations, { invitationId, expiresAt: invitation.expiresAt }],
    },
    put: [{ kind: 'invitation', id: invitationId, document: { ...invitation, acceptedBy: null } }],
    remove: [{ kind: 'member', id: userId }],
  };
}

function isOpen(invitation: InvitationDocument, codeDigest: string, now: number): boolean {
  return (
    invitation.acceptedBy === null &&
    now < invitation.expiresAt &&
    digestsEqual(invitation.digest, codeDigest)
  );
}

function withoutInvitation(root: OrganizationDocument, invitationId: string): OrganizationDocument {
  return {
    ...root,
    openInvitations: root.openInvitations.filter((invitation) => invitation.invitationId !== invitationId),
  };
}

function endLookup({ digest, expiresAt }: InvitationDocument): Effect {
  return { kind: 'lookup', lookup: { kind: 'invitation-code', digest, target: null, expiresAt } };
}

function removeIdentity(personKey: string, name: string): Effect {
  return { kind: 'remove-blob', address: { owner: personKey, group: PERSON_BLOB_GROUP, name } };
}
