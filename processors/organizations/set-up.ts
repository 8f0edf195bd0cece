import { refusal } from '../../schemas/base/errors.ts';
import { PERSON_BLOB_GROUP } from '../../schemas/people/documents.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { DONE, deferredTo, refused } from '../runtime/fold/results.ts';
import { memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/**
 * Creates an organization and requests its owner; the owner's fold answers. The owner is a member at once, so that
 * the session of the answer is valid everywhere. Until the person exists, no caller can act as them.
 */
export const setUp: CommandHandler<OrganizationsFold, 'set-up'> = {
  fold({ root, input, context }) {
    const { name, operator, personKey, userId, identityBlob, sessionDigest, browser } = input;
    if (root?.state === 'active') {
      return refused(ALREADY_SET_UP, [
        {
          kind: 'remove-blob',
          address: { owner: personKey, group: PERSON_BLOB_GROUP, name: identityBlob },
        },
      ]);
    }
    return {
      ...deferredTo({
        topic: 'people',
        key: personKey,
        type: 'create',
        input: {
          userId,
          organizationId: context.aggregate,
          identityBlob,
          sessionDigest,
          ...(browser === undefined ? {} : { browser }),
        },
      }),
      root: {
        name,
        state: 'active',
        operator,
        createdAt: context.now,
        members: 1,
        owners: 1,
        openInvitations: [],
      },
      put: [{ kind: 'member', id: userId, document: { personKey, role: 'owner', joinedAt: context.now } }],
    };
  },
};

const ALREADY_SET_UP = refusal('state_conflict', {
  at: 'service.setUp',
  seen: 'a service that has been set up',
  expected: 'one that has not; sign in instead',
});

/** The owner could not be made: the set-up may be tried again. */
export const releaseSetUp: CommandHandler<OrganizationsFold, 'set-up-released'> = {
  reads: ({ input }) => [memberRow(input.userId)],
  fold({ root, row, input: { userId } }) {
    if (root === null || row('member', userId) === null) return DONE;
    return {
      ...DONE,
      root: { ...root, state: 'released', members: 0, owners: 0 },
      remove: [{ kind: 'member', id: userId }],
    };
  },
};
