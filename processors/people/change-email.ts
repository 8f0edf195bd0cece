import { refusal } from '../../schemas/base/errors.ts';
import { isTaken, type PersonDocument, personOf } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { commandTo, DONE, deferredTo, refused } from '../runtime/fold/results.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import { withoutReset } from './password.ts';
import type { PeopleFold } from './people-fold.ts';
import { endSessions, openSession } from './sessions.ts';

// Changes an e-mail address, which makes the person another aggregate. First the new address is reserved, because its
// aggregate owns the uniqueness. Then the old aggregate decides and hands the person over. Then the new one takes the
// person and notifies the organizations.

const TAKEN = refusal('state_conflict', {
  at: 'body.email',
  seen: 'an address that another person has',
  expected: 'an address without an account',
});

/** Reserves this address for a person of another one, whose fold decides. */
export const reserveAddress: CommandHandler<PeopleFold, 'reserve-address'> = {
  fold({ root, input, context }) {
    const { personKey, userId, to } = input;
    const isUsable = isIdentityUsable(to, context.now);
    if (isTaken(root) || !isUsable) {
      return refused(isUsable ? TAKEN : IDENTITY_ENDED, [removeIdentity(context, to)]);
    }
    return {
      ...deferredTo({
        topic: 'people',
        key: personKey,
        type: 'change-email',
        input: { ...input, personKey: context.aggregate },
      }),
      root: { state: 'reserved', userId, identityBlob: to },
    };
  },
};

/** Gives the person away to the reserved address. Every session and the reset link end. */
export const changeEmail: CommandHandler<PeopleFold, 'change-email'> = {
  fold({ root, input, context }) {
    const { personKey, userId, from, to, sessionDigest, nextSessionDigest, browser } = input;
    const person = personOf(root);
    const session = person?.sessions.find(({ digest }) => digest === sessionDigest);
    if (
      person === null ||
      session === undefined ||
      person.identityBlob !== from ||
      person.userId !== userId
    ) {
      return refused(SIGN_IN_REFUSED, [
        commandTo({
          topic: 'people',
          key: personKey,
          type: 'address-released',
          input: { identityBlob: to },
        }),
      ]);
    }
    const { createdAt, lastSeenAt, organizationIds } = person;
    const { organizationId } = session;
    return {
      ...deferredTo(
        {
          topic: 'people',
          key: personKey,
          type: 'move-in',
          input: {
            userId,
            createdAt,
            lastSeenAt,
            organizationIds,
            organizationId,
            sessionDigest: nextSessionDigest,
            ...(browser === undefined ? {} : { browser }),
          },
        },
        [
          ...endSessions(person, () => true).effects,
          ...withoutReset(person).effects,
          removeIdentity(context, from),
          commandTo({ topic: 'mail', key: context.aggregate, type: 'forget', input: {} }),
        ],
      ),
      root: { state: 'vacant' },
      recordedIn: organizationIds,
    };
  },
};

/** The person stays at the former address: this one is free again. */
export const releaseAddress: CommandHandler<PeopleFold, 'address-released'> = {
  fold({ root, input: { identityBlob }, context }) {
    const isReserved =
      root !== null && 'state' in root && root.state === 'reserved' && root.identityBlob === identityBlob;
    if (!isReserved) return DONE;
    return { ...DONE, root: { state: 'vacant' }, effects: [removeIdentity(context, identityBlob)] };
  },
};

/** Takes the person in with one session, and tells the organizations, of which the last one answers. */
export const moveIn: CommandHandler<PeopleFold, 'move-in'> = {
  fold({ root, input, context, limits }) {
    if (root === null || !('state' in root) || root.state !== 'reserved') {
      throw new Error('moving a person to an address that was not reserved');
    }
    const { organizationIds, organizationId, sessionDigest: digest, browser, ...kept } = input;
    const { userId, identityBlob } = root;
    const person: PersonDocument = { ...kept, identityBlob, organizationIds, sessions: [], reset: null };
    const opened = openSession(person, { digest, organizationId, browser }, context, limits);
    const [first, ...next] = organizationIds;
    if (first === undefined) return { ...DONE, ...opened, audit: false };
    return {
      ...deferredTo(
        {
          topic: 'organizations',
          key: first,
          type: 'move-member',
          input: { userId, personKey: context.aggregate, next },
        },
        opened.effects,
      ),
      root: opened.root,
    };
  },
};
