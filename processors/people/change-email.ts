import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import { isTaken, type PersonDocument, type PersonRoot } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import { withoutReset } from './password.ts';
import type { PersonInput, PersonResult } from './result.ts';
import { endSessions, openSession } from './sessions.ts';

// A new e-mail address is another aggregate. The new address is reserved first, because it owns the uniqueness; then the old
// one decides and gives the person away; then the new one takes the person in and tells the organizations.

const TAKEN = refusal('state_conflict', {
  at: 'body.email',
  seen: 'an address that another person has',
  expected: 'one that nobody has here',
});

/** Reserves this address for a person of another one, whose fold decides. */
export function reserveAddress(
  root: PersonRoot | null,
  input: PersonInput<'reserve-address'>,
  context: FoldContext,
): PersonResult {
  const { personKey, userId, to } = input;
  const isUsable = isIdentityUsable(to, context.now);
  if (isTaken(root) || !isUsable) {
    return {
      outcome: { kind: 'refused', refusal: isUsable ? TAKEN : IDENTITY_ENDED },
      effects: [removeIdentity(context, to)],
    };
  }
  return {
    outcome: { kind: 'deferred' },
    root: { state: 'reserved', userId, identityBlob: to },
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: personKey,
        type: 'change-email',
        input: { ...input, personKey: context.aggregate },
        answers: true,
      },
    ],
  };
}

/** Gives the person away to the reserved address. Every session and the reset link end. */
export function changeEmail(
  root: PersonDocument | null,
  { personKey, userId, from, to, sessionDigest, nextSessionDigest }: PersonInput<'change-email'>,
  context: FoldContext,
): PersonResult {
  const session = root?.sessions.find(({ digest }) => digest === sessionDigest);
  if (root === null || session === undefined || root.identityBlob !== from || root.userId !== userId) {
    return {
      outcome: { kind: 'refused', refusal: SIGN_IN_REFUSED },
      effects: [
        {
          kind: 'command',
          topic: 'people',
          key: personKey,
          type: 'address-released',
          input: { identityBlob: to },
        },
      ],
    };
  }
  const { createdAt, lastSeenAt, organizationIds } = root;
  const { organizationId } = session;
  return {
    outcome: { kind: 'deferred' },
    root: { state: 'vacant' },
    effects: [
      ...endSessions(root, () => true).effects,
      ...withoutReset(root).effects,
      removeIdentity(context, from),
      {
        kind: 'command',
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
        },
        answers: true,
      },
    ],
    recordedIn: organizationIds,
  };
}

/** The person stays at the former address: this one is free again. */
export function releaseAddress(
  root: PersonRoot | null,
  { identityBlob }: PersonInput<'address-released'>,
  context: FoldContext,
): PersonResult {
  const outcome = { kind: 'done', result: {} } as const;
  const isReserved =
    root !== null && 'state' in root && root.state === 'reserved' && root.identityBlob === identityBlob;
  if (!isReserved) return { outcome };
  return { outcome, root: { state: 'vacant' }, effects: [removeIdentity(context, identityBlob)] };
}

/** Takes the person in with one session, and tells the organizations, of which the last one answers. */
export function moveIn(
  root: PersonRoot | null,
  { organizationIds, organizationId, sessionDigest, ...kept }: PersonInput<'move-in'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  if (root === null || !('state' in root) || root.state !== 'reserved') {
    throw new Error('moving a person to an address that was not reserved');
  }
  const { userId, identityBlob } = root;
  const person: PersonDocument = { ...kept, identityBlob, organizationIds, sessions: [], reset: null };
  const opened = openSession(person, { digest: sessionDigest, organizationId }, context, limits);
  const [first, ...next] = organizationIds;
  if (first === undefined) return { outcome: { kind: 'done', result: {} }, ...opened, audit: false };
  return {
    outcome: { kind: 'deferred' },
    root: opened.root,
    effects: [
      ...opened.effects,
      {
        kind: 'command',
        topic: 'organizations',
        key: first,
        type: 'move-member',
        input: { userId, personKey: context.aggregate, next },
        answers: true,
      },
    ],
  };
}
