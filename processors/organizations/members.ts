import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { OrganizationDocument, Role } from '../../schemas/organizations/documents.ts';
import { mayManage } from '../../schemas/organizations/roles.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import {
  NOTED,
  type OrganizationInput,
  type OrganizationResult,
  type OrganizationView,
  type UserCommand,
} from './result.ts';

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

export type Acting =
  | { readonly role: Role; readonly root: OrganizationDocument }
  | { readonly refused: Refusal };

/** Who acts, as the organization says now: a role that was taken away since the page was loaded counts no more. */
export function actingMember(view: OrganizationView, { actor }: UserCommand): Acting {
  const role = actor.kind === 'user' ? view.row('member', actor.id)?.role : undefined;
  if (view.root?.state !== 'active' || role === undefined) {
    return {
      refused: refusal('forbidden', {
        at: 'caller',
        seen: 'a person outside of the organization',
        expected: 'a member',
      }),
    };
  }
  return { role, root: view.root };
}

/** The same for what only an owner or admin may do. */
export function actingOwnerOrAdmin(view: OrganizationView, command: UserCommand, action: string): Acting {
  const acting = actingMember(view, command);
  if ('refused' in acting || acting.role !== 'member') return acting;
  return {
    refused: refusal('forbidden', {
      at: 'caller.role',
      seen: 'member',
      expected: `owner or admin to ${action}`,
    }),
  };
}

/** The refusal for somebody whose role does not reach as far as this one. */
export function beyondRole(subject: Role): Refusal {
  return refusal('forbidden', {
    at: 'caller.role',
    seen: `one that may not decide about the role ${subject}`,
    expected: subject === 'member' ? 'owner or admin' : 'owner',
  });
}

/** Gives a member another role. The last owner stays one. */
export function setRole(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'set-role'> },
): OrganizationResult {
  const { userId, role } = command.input;
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  const member = view.row('member', userId);
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
}

/** Removes a member, or lets one leave. The last owner stays. */
export function removeMember(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'remove-member'> },
  context: FoldContext,
): OrganizationResult {
  const { userId } = command.input;
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  const member = view.row('member', userId);
  if (member === null) return refused(NO_MEMBER);
  const leaves = userId === command.actor.id;
  if (!leaves && !mayManage(acting.role, member.role)) return refused(beyondRole(member.role));
  const owners = acting.root.owners - Number(member.role === 'owner');
  if (owners === 0) return refused(LAST_OWNER);
  return {
    outcome: { kind: 'done', result: { userId } },
    root: { ...acting.root, owners, members: acting.root.members - 1 },
    remove: [{ kind: 'member', id: userId }],
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: member.personKey,
        type: 'leave',
        input: { organizationId: context.aggregate },
      },
    ],
  };
}

/** An owner offers a member a new password. The person decides: it may belong to other organizations as well. */
export function offerReset(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'offer-reset'> },
  context: FoldContext,
): OrganizationResult {
  const { userId, codeDigest } = command.input;
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  if (acting.role !== 'owner')
    return refused(
      refusal('forbidden', {
        at: 'caller.role',
        seen: `${acting.role}`,
        expected: 'owner to make a reset link',
      }),
    );
  const member = view.row('member', userId);
  if (member === null) return refused(NO_MEMBER);
  const { operator } = acting.root;
  return askForReset(context, { personKey: member.personKey, operator, codeDigest });
}

/** An owner of the operators' organization offers any person a new password. */
export function offerOperatorReset(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'offer-operator-reset'> },
  context: FoldContext,
): OrganizationResult {
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  if (acting.role !== 'owner' || !acting.root.operator) {
    return refused(
      refusal('forbidden', {
        at: 'caller.role',
        seen: `${acting.role} of this organization`,
        expected: 'owner of the organization that operates this service',
      }),
    );
  }
  return askForReset(context, { ...command.input, operator: true });
}

function askForReset(
  { aggregate: organizationId }: FoldContext,
  { personKey, operator, codeDigest }: { personKey: string; operator: boolean; codeDigest: string },
): OrganizationResult {
  return {
    outcome: { kind: 'deferred' },
    remember: { entity: resetEntity(codeDigest) },
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: personKey,
        type: 'offer-reset',
        input: { organizationId, operator, codeDigest },
        answers: true,
      },
    ],
  };
}

/** The person was refused the link: the idempotency key that asked for it is free again. */
export function releaseReset({ codeDigest }: OrganizationInput<'reset-released'>): OrganizationResult {
  return { ...NOTED, forget: [resetEntity(codeDigest)] };
}

/** What the outcome of an offered link is remembered for. */
function resetEntity(codeDigest: string): string {
  return `${RESET_ENTITIES}${codeDigest}`;
}

const RESET_ENTITIES = 'reset/';

/** Whether an entity is an offered link: it ends by itself, and nothing erases it. */
export function isResetEntity(entity: string): boolean {
  return entity.startsWith(RESET_ENTITIES);
}
