import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { isTaken, type PersonDocument, personOf } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import type { CommandHandler, Scope } from '../runtime/fold/fold.ts';
import { commandTo, refused } from '../runtime/fold/results.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import type { PeopleFold } from './people-fold.ts';
import { openSession } from './sessions.ts';

/**
 * Makes a person who owns a new organization, or gives it to a known person who belongs to none. Opens a session there; the
 * organization waits for this answer.
 */
export const createPerson: CommandHandler<PeopleFold, 'create'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const { userId, organizationId, identityBlob, sessionDigest: digest, browser } = input;
    const known = personOf(root);
    const isWaiting = known?.userId === userId && known.organizationIds.length === 0;
    if (isTaken(root) && !isWaiting) return refuseCreation(EXISTS, scope);
    if (!isIdentityUsable(identityBlob, context.now)) return refuseCreation(IDENTITY_ENDED, scope);
    const owner = { userId, identityBlob, organizationIds: [organizationId] };
    const person = isWaiting ? { ...known, ...owner } : newPerson(owner, context.now);
    const opened = openSession(person, { digest, organizationId, browser }, context, limits);
    const replaced = isWaiting ? [removeIdentity(context, known.identityBlob)] : [];
    return {
      outcome: { kind: 'done', result: { userId } },
      root: opened.root,
      effects: [...replaced, ...opened.effects],
    };
  },
};

/** Makes a person who belongs to no organization yet, and signs it in so that it can accept an invitation. */
export const enrollPerson: CommandHandler<PeopleFold, 'enroll'> = {
  fold({ root, input: { userId, identityBlob, sessionDigest: digest, browser }, context, limits }) {
    const isUsable = isIdentityUsable(identityBlob, context.now);
    if (isTaken(root) || !isUsable) {
      return refused(isUsable ? ENROLLED : IDENTITY_ENDED, [removeIdentity(context, identityBlob)]);
    }
    const person = newPerson({ userId, identityBlob, organizationIds: [] }, context.now);
    const opened = openSession(person, { digest, organizationId: null, browser }, context, limits);
    return { outcome: { kind: 'done', result: { userId } }, ...opened };
  },
};

/** A person without sessions. @param now Unix milliseconds */
export function newPerson(
  known: Pick<PersonDocument, 'userId' | 'identityBlob' | 'organizationIds'>,
  now: number,
): PersonDocument {
  const { userId, identityBlob, organizationIds } = known;
  return {
    userId,
    createdAt: now,
    identityBlob,
    organizationIds,
    sessions: [],
    reset: null,
    lastSeenAt: null,
  };
}

const EXISTS = refusal('state_conflict', {
  at: 'body.email',
  seen: 'an address that a person has already',
  expected: 'an address without an account',
});

const ENROLLED = refusal('state_conflict', {
  at: 'caller',
  seen: 'a person who exists already',
  expected: 'a new person; sign in again',
});

function refuseCreation(reason: Refusal, { input, context }: Scope<PeopleFold, 'create'>) {
  return refused(reason, [
    commandTo({
      topic: 'organizations',
      key: input.organizationId,
      type: 'set-up-released',
      input: { userId: input.userId },
    }),
    removeIdentity(context, input.identityBlob),
  ]);
}
