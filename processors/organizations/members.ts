import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { OrganizationDocument, Role } from '../../schemas/organizations/documents.ts';
import { mayManage } from '../../schemas/organizations/roles.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { CommandHandler, FoldContext, Scope } from '../runtime/fold/fold.ts';
import { commandTo, DONE, deferredTo, refused, refusedFor } from '../runtime/fold/results.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

const NO_MEMBER = refusal('not_found', {
  at: 'path.userId',
  seen: 'the id of no member',
  expected: 'the id of a member of this organization',
});
/** The refusal of what would leave an organization without an owner. */
export const LAST_OWNER = refusal('state_conflict', {
  at: 'organization.owners',
  seen: 'a change that leaves none',
  expected: 'at least one owner; make another member an owner first',
});

export function memberRow(userId: string): RowKey & { readonly kind: 'member' } {
  return { kind: 'member', id: userId };
}

type ActingScope = Pick<Scope<OrganizationsFold>, 'root' | 'row' | 'actor'>;

export type Acting =
  | { readonly role: Role; readonly root: OrganizationDocument }
  | { readonly refused: Refusal };

/**
 * Returns the acting member by the organization's current state: a role that was taken away since the page was loaded
 * no longer counts.
 */
export function actingMember({ root, row, actor }: ActingScope): Acting {
  const role = actor.kind === 'user' ? row('member', actor.id)?.role : undefined;
  if (root?.state !== 'active' || role === undefined) {
    return {
      refused: refusal('forbidden', {
        at: 'caller',
        seen: 'a person outside of the organization',
        expected: 'a member',
      }),
    };
  }
  return { role, root };
}

/** The same for what only an owner of the operators' organization may do. */
export function actingOperator(scope: ActingScope): Acting {
  const acting = actingMember(scope);
  if ('refused' in acting || (acting.role === 'owner' && acting.root.operator)) return acting;
  return {
    refused: refusal('forbidden', {
      at: 'caller.role',
      seen: `${acting.role} of this organization`,
      expected: 'owner of the organization that operates this service',
    }),
  };
}

/** The same for what only an owner or admin may do. */
export function actingOwnerOrAdmin(scope: ActingScope, action: string): Acting {
  const acting = actingMember(scope);
  if ('refused' in acting || acting.role !== 'member') return acting;
  return {
    refused: refusal('forbidden', {
      at: 'caller.role',
      seen: 'member',
      expected: `owner or admin to ${action}`,
    }),
  };
}

/** The refusal of an action on a workspace, unless the caller has one of these roles now. */
export function roleRefusal(
  { root, row, actor }: ActingScope,
  roles: readonly Role[],
  action: string,
): Refusal | null {
  const role = actor.kind === 'user' ? row('member', actor.id)?.role : undefined;
  if (root?.state === 'active' && role !== undefined && roles.includes(role)) return null;
  return refusal('forbidden', {
    at: 'caller.role',
    seen: `${role ?? 'none in the organization'}`,
    expected: `${roles.join(' or ')} to ${action} a workspace`,
  });
}

/** The refusal for a member whose role may not manage this role. */
export function beyondRole(subject: Role): Refusal {
  return refusal('forbidden', {
    at: 'caller.role',
    seen: `one that may not decide about the role ${subject}`,
    expected: subject === 'member' ? 'owner or admin' : 'owner',
  });
}

/** Gives a member another role. The last owner stays one. */
export const setRole: CommandHandler<OrganizationsFold, 'set-role'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), memberRow(input.userId)],
  fold(scope) {
    const { row, input } = scope;
    const { userId, role } = input;
    const acting = actingMember(scope);
    if ('refused' in acting) return refused(acting.refused);
    const member = row('member', userId);
    if (member === null) return refused(NO_MEMBER);
    const forbidden = [member.role, role].find((subject) => !mayManage(acting.role, subject));
    if (forbidden !== undefined) return refused(beyondRole(forbidden));
    const owners = acting.root.owners + Number(role === 'owner') - Number(member.role === 'owner');
    if (owners === 0) return refused(LAST_OWNER);
    return {
      outcome: { kind: 'done', result: { userId, role } },
      root: { ...acting.root, owners },
      put: [{ kind: 'member', id: userId, document: { ...member, role } }],
      audit: { from: member.role, role },
    };
  },
};

/** Removes a member, or lets one leave. The last owner stays. A member whose role cannot be read counts as an owner. */
export const removeMember: CommandHandler<OrganizationsFold, 'remove-member'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), memberRow(input.userId)],
  admitsUnreadable: ['member'],
  fold(scope) {
    const { row, salvaged, input, actor, context } = scope;
    const { userId } = input;
    const acting = actingMember(scope);
    if ('refused' in acting) return refused(acting.refused);
    const member = row('member', userId) ?? salvaged('member', userId);
    if (member === null) return refused(NO_MEMBER);
    const { role = 'owner', personKey } = member;
    const leaves = userId === actor.id;
    if (!leaves && !mayManage(acting.role, role)) return refused(beyondRole(role));
    const owners = acting.root.owners - Number(role === 'owner');
    if (owners === 0) return refused(LAST_OWNER);
    const leaving = { organizationId: context.aggregate };
    return {
      outcome: { kind: 'done', result: { userId } },
      root: { ...acting.root, owners, members: acting.root.members - 1 },
      remove: [{ kind: 'member', id: userId }],
      effects:
        personKey === undefined
          ? []
          : [commandTo({ topic: 'people', key: personKey, type: 'leave', input: leaving })],
    };
  },
};

/** An owner offers a member a new password. The person decides: it may belong to other organizations as well. */
export const offerReset: CommandHandler<OrganizationsFold, 'offer-reset'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), memberRow(input.userId)],
  fold(scope) {
    const { row, input, context } = scope;
    const { userId, codeDigest } = input;
    const acting = actingMember(scope);
    if ('refused' in acting) return refused(acting.refused);
    if (acting.role !== 'owner')
      return refusedFor('forbidden', {
        at: 'caller.role',
        seen: `${acting.role}`,
        expected: 'owner to make a reset link',
      });
    const member = row('member', userId);
    if (member === null) return refused(NO_MEMBER);
    const { operator } = acting.root;
    return askForReset(context, { personKey: member.personKey, operator, codeDigest });
  },
};

/** An owner of the operators' organization offers any person a new password. */
export const offerOperatorReset: CommandHandler<OrganizationsFold, 'offer-operator-reset'> = {
  reads: ({ actor }) => [memberRow(actor.id)],
  fold(scope) {
    const { input, context } = scope;
    const acting = actingOperator(scope);
    if ('refused' in acting) return refused(acting.refused);
    return askForReset(context, { ...input, operator: true });
  },
};

function askForReset(
  { aggregate: organizationId }: FoldContext,
  { personKey, operator, codeDigest }: { personKey: string; operator: boolean; codeDigest: string },
) {
  return {
    ...deferredTo({
      topic: 'people',
      key: personKey,
      type: 'offer-reset',
      input: { organizationId, operator, codeDigest },
    }),
    remember: { entity: resetEntity(codeDigest) },
  };
}

/** The person was refused the link: the idempotency key that asked for it is free again. */
export const releaseReset: CommandHandler<OrganizationsFold, 'reset-released'> = {
  fold: ({ input }) => ({ ...DONE, forget: [resetEntity(input.codeDigest)] }),
};

/** The erasure unit that the outcome of an offered link is remembered for. */
function resetEntity(codeDigest: string): string {
  return `${RESET_ENTITIES}${codeDigest}`;
}

const RESET_ENTITIES = 'reset/';

/** True if an erasure unit is an offered link. A link ends by itself, and no command erases it. */
export function isResetEntity(entity: string): boolean {
  return entity.startsWith(RESET_ENTITIES);
}
