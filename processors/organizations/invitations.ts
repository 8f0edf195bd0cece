import { digestsEqual } from '../../schemas/base/digest.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { invitationBlobs } from '../../schemas/organizations/blobs.ts';
import type { InvitationDocument, OrganizationDocument } from '../../schemas/organizations/documents.ts';
import { mayManage } from '../../schemas/organizations/roles.ts';
import { PERSON_BLOB_GROUP } from '../../schemas/people/documents.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { CommandHandler, Effect, FoldContext, FoldResult, Scope } from '../runtime/fold/fold.ts';
import {
  commandTo,
  DONE,
  DONE_UNREMEMBERED,
  deferredTo,
  refused,
  refusedFor,
} from '../runtime/fold/results.ts';
import { actingMember, beyondRole, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/** Makes a one-time invitation for one person, in a role that the inviting member may give. */
export const invite: CommandHandler<OrganizationsFold, 'invite'> = {
  reads: ({ actor }) => [memberRow(actor.id)],
  fold(scope) {
    const { input, actor, context, limits } = scope;
    const { invitationId, role, codeDigest, outbox } = input;
    const acting = actingMember(scope);
    if ('refused' in acting) return refused(acting.refused);
    if (!mayManage(acting.role, role)) return refused(beyondRole(role));
    const { invitationsOpen, invitationMs } = limits.console;
    const open = acting.root.openInvitations.filter(({ expiresAt }) => context.now < expiresAt);
    if (open.length >= invitationsOpen) {
      return refusedFor('limit_reached', {
        at: 'organization.invitations',
        seen: `${open.length} that are open`,
        expected: `fewer; at most ${invitationsOpen} may be open at once`,
      });
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
          document: {
            ...{ role, digest: codeDigest, createdAt: context.now, createdBy: actor.id },
            ...{ expiresAt, acceptedBy: null },
          },
        },
      ],
      remove: ended.map((invitation) => invitationRow(invitation.invitationId)),
      effects: [
        {
          kind: 'index',
          entry: {
            kind: 'invitation-code',
            digest: codeDigest,
            target: { organizationId: context.aggregate, invitationId },
            expiresAt,
          },
        },
        ...(outbox === undefined ? [] : [mailTo(outbox, context.aggregate, invitationId)]),
      ],
      audit: { role },
    };
  },
};

/** Takes an open invitation back. One that cannot be read may be for an owner, so only owners may. */
export const revokeInvitation: CommandHandler<OrganizationsFold, 'revoke-invitation'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), invitationRow(input.invitationId)],
  admitsUnreadable: ['invitation'],
  fold(scope) {
    const { row, salvaged, input, context } = scope;
    const { invitationId } = input;
    const acting = actingMember(scope);
    if ('refused' in acting) return refused(acting.refused);
    const invitation = row('invitation', invitationId) ?? salvaged('invitation', invitationId);
    if (invitation === null || (invitation.acceptedBy ?? null) !== null) return refused(NO_INVITATION);
    const { role = 'owner' } = invitation;
    if (!mayManage(acting.role, role)) return refused(beyondRole(role));
    return {
      ...DONE,
      root: withoutInvitation(acting.root, invitationId),
      remove: [invitationRow(invitationId)],
      effects: [...endLookup(invitation), removePrivate(context.aggregate, invitationId)],
    };
  },
};

const NO_INVITATION = refusal('not_found', {
  at: 'invitation',
  seen: 'none that is open',
  expected: 'one that was not used or revoked and has not expired',
});

/**
 * Accepts an invitation for a person; the person's fold answers. The member is added at once, so that the new session
 * is valid everywhere. If the person cannot join, a follow-up removes the member and restores the invitation.
 */
export const acceptInvitation: CommandHandler<OrganizationsFold, 'accept-invitation'> = {
  reads: ({ input }) => [memberRow(input.userId), invitationRow(input.invitationId)],
  fold({ root, row, input, context, limits }) {
    const { invitationId, codeDigest, personKey, userId, identityBlob, isNew, sessionDigest, browser } =
      input;
    const invitation = row('invitation', invitationId);
    const refuse = (reason: Refusal) =>
      refused(reason, isNew ? [removeIdentity(personKey, identityBlob)] : []);
    if (root?.state === 'active' && invitation?.acceptedBy === userId && !isNew) {
      const isMember = row('member', userId) !== null;
      return isMember && digestsEqual(invitation.digest, codeDigest)
        ? signInAgain(input, context)
        : refuse(NO_INVITATION);
    }
    if (root?.state !== 'active' || invitation === null || !isOpen(invitation, codeDigest, context.now)) {
      return refuse(NO_INVITATION);
    }
    if (row('member', userId) !== null) return refuse(ALREADY_MEMBER);
    if (root.members >= limits.console.membersPerOrganization) {
      return refuse(
        refusal('limit_reached', {
          at: 'organization.members',
          seen: `${root.members} members`,
          expected: `fewer; at most ${limits.console.membersPerOrganization} are allowed`,
        }),
      );
    }
    const joining = {
      invitationId,
      organizationId: context.aggregate,
      userId,
      identityBlob,
      isNew,
      sessionDigest,
      ...(browser === undefined ? {} : { browser }),
    };
    return {
      ...deferredTo({ topic: 'people', key: personKey, type: 'join', input: joining }, [
        removePrivate(context.aggregate, invitationId),
      ]),
      root: {
        ...withoutInvitation(root, invitationId),
        members: root.members + 1,
        owners: root.owners + Number(invitation.role === 'owner'),
      },
      put: [
        { kind: 'invitation', id: invitationId, document: { ...invitation, acceptedBy: userId } },
        { kind: 'member', id: userId, document: { personKey, role: invitation.role, joinedAt: context.now } },
      ],
    };
  },
};

/** Answers a repeated acceptance by a member with a session for this organization, like the first one. */
function signInAgain(
  { personKey, identityBlob, sessionDigest, browser }: Scope<OrganizationsFold, 'accept-invitation'>['input'],
  { aggregate: organizationId }: FoldContext,
): FoldResult<OrganizationsFold, 'accept-invitation'> {
  return {
    ...deferredTo({
      topic: 'people',
      key: personKey,
      type: 'session-start',
      input: {
        identityBlob,
        sessionDigest,
        mayBelongNowhere: false,
        organizationId,
        ...(browser === undefined ? {} : { browser }),
      },
    }),
  };
}

const ALREADY_MEMBER = refusal('state_conflict', {
  at: 'caller',
  seen: 'a member of the organization',
  expected: 'a person who is not',
});

/** The person could not join: the invitation is open again, and the member was never one. */
export const releaseInvitation: CommandHandler<OrganizationsFold, 'invitation-released'> = {
  reads: ({ input }) => [memberRow(input.userId), invitationRow(input.invitationId)],
  fold({ root, row, input: { invitationId, userId } }) {
    const invitation = row('invitation', invitationId);
    if (root === null || invitation === null || invitation.acceptedBy !== userId) return DONE;
    return {
      ...DONE,
      root: {
        ...root,
        members: root.members - 1,
        owners: root.owners - Number(invitation.role === 'owner'),
        openInvitations: [...root.openInvitations, { invitationId, expiresAt: invitation.expiresAt }],
      },
      put: [{ kind: 'invitation', id: invitationId, document: { ...invitation, acceptedBy: null } }],
      remove: [memberRow(userId)],
    };
  },
};

/** Removes an invitation that has ended. Its row names the member who made it and the person who accepted it. */
export const tidyInvitation: CommandHandler<OrganizationsFold, 'tidy-invitation'> = {
  reads: ({ input }) => [invitationRow(input.invitationId)],
  fold({ root, row, input: { invitationId }, context }) {
    const invitation = row('invitation', invitationId);
    if (root === null || invitation === null || context.now < invitation.expiresAt) return DONE_UNREMEMBERED;
    return {
      ...DONE_UNREMEMBERED,
      root: withoutInvitation(root, invitationId),
      remove: [invitationRow(invitationId)],
    };
  },
};

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

/** Removes the index entry of an invitation's code, if it can be read. */
function endLookup({ digest, expiresAt }: Partial<InvitationDocument>): Effect[] {
  if (digest === undefined || expiresAt === undefined) return [];
  return [{ kind: 'index', entry: { kind: 'invitation-code', digest, target: null, expiresAt } }];
}

/** Removes the words about whom an invitation is for, and the address that it is mailed to. */
function removePrivate(organizationId: string, invitationId: string): Effect {
  return { kind: 'remove-blobs', group: invitationBlobs(organizationId, invitationId) };
}

function mailTo(outbox: string, organizationId: string, invitationId: string): Effect {
  const subject = { kind: 'invitation', organizationId, invitationId } as const;
  return commandTo({ topic: 'mail', key: outbox, type: 'queue', input: { mailId: invitationId, subject } });
}

function removeIdentity(personKey: string, name: string): Effect {
  return { kind: 'remove-blob', address: { owner: personKey, group: PERSON_BLOB_GROUP, name } };
}

function invitationRow(invitationId: string): RowKey & { readonly kind: 'invitation' } {
  return { kind: 'invitation', id: invitationId };
}
