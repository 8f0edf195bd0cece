import type { CommandHandler } from '../runtime/fold/fold.ts';
import { commandTo, DONE, deferredTo, refused } from '../runtime/fold/results.ts';
import { LAST_OWNER, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/** Notes the new address of a member's person, and passes the notice on; the last organization answers. */
export const moveMember: CommandHandler<OrganizationsFold, 'move-member'> = {
  reads: ({ input }) => [memberRow(input.userId)],
  fold({ row, input: { userId, personKey, next }, context: { aggregate: organizationId } }) {
    const member = row('member', userId);
    const [following, ...others] = next;
    // The notice of the removal has gone to the former address.
    const leaving = commandTo({ topic: 'people', key: personKey, type: 'leave', input: { organizationId } });
    const effects = member === null ? [leaving] : [];
    const noted =
      member === null ? {} : { put: [{ ...memberRow(userId), document: { ...member, personKey } }] };
    if (following === undefined) return { ...DONE, ...noted, effects, audit: false };
    const input = { userId, personKey, next: others };
    return {
      ...deferredTo({ topic: 'organizations', key: following, type: 'move-member', input }, effects),
      ...noted,
    };
  },
};

/**
 * Lets a member go whose person is being erased. The last owner stays, and so does the person. A member whose role cannot be
 * read counts as an owner.
 */
export const eraseMember: CommandHandler<OrganizationsFold, 'erase-member'> = {
  reads: ({ input }) => [memberRow(input.userId)],
  admitsUnreadable: ['member'],
  fold({ root, row, salvaged, input: { userId, personKey }, context: { aggregate: organizationId } }) {
    const member = row('member', userId) ?? salvaged('member', userId);
    const deferred = deferredTo({
      topic: 'people',
      key: personKey,
      type: 'member-erased',
      input: { organizationId },
    });
    if (root === null || member === null) return deferred;
    const { role = 'owner' } = member;
    const owners = root.owners - Number(role === 'owner');
    if (owners === 0) return refused(LAST_OWNER);
    return {
      ...deferred,
      root: { ...root, owners, members: root.members - 1 },
      remove: [memberRow(userId)],
      recordedIn: [organizationId],
    };
  },
};
