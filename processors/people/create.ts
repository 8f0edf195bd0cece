import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import { isTaken, type PersonDocument, type PersonRoot } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import type { PersonInput, PersonResult } from './result.ts';
import { openSession } from './sessions.ts';

/** Makes a person who owns a new organization, and opens the first session; the organization waits for this answer. */
export function createPerson(
  root: PersonRoot | null,
  input: PersonInput<'create'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  if (isTaken(root)) return refuseCreation(EXISTS, input, context);
  const { userId, organizationId, identityBlob, sessionDigest } = input;
  if (!isIdentityUsable(identityBlob, context.now)) return refuseCreation(IDENTITY_ENDED, input, context);
  const person: PersonDocument = {
    userId,
    createdAt: context.now,
    identityBlob,
    organizationIds: [organizationId],
    sessions: [],
    reset: null,
    lastSeenAt: null,
  };
  const opened = openSession(person, { digest: sessionDigest, organizationId }, context, limits);
  return { outcome: { kind: 'done', result: { userId } }, ...opened };
}

/** Makes a person who belongs to no organization yet, and signs it in so that it can accept an invitation. */
export function enrollPerson(
  root: PersonRoot | null,
  { userId, identityBlob, sessionDigest }: PersonInput<'enroll'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  const isUsable = isIdentityUsable(identityBlob, context.now);
  if (isTaken(root) || !isUsable) {
    const reason = isUsable
      ? refusal('state_conflict', {
          at: 'caller',
          seen: 'a person who exists already',
          expected: 'a new person; sign in again',
        })
      : IDENTITY_ENDED;
    return {
      outcome: { kind: 'refused', refusal: reason },
      effects: [removeIdentity(context, identityBlob)],
    };
  }
  const person: PersonDocument = {
    userId,
    createdAt: context.now,
    identityBlob,
    organizationIds: [],
    sessions: [],
    reset: null,
    lastSeenAt: null,
  };
  const opened = openSession(person, { digest: sessionDigest, organizationId: null }, context, limits);
  return { outcome: { kind: 'done', result: { userId } }, ...opened };
}

const EXISTS = refusal('state_conflict', {
  at: 'body.email',
  seen: 'an address that a person has already',
  expected: 'one that nobody has here',
});

function refuseCreation(reason: Refusal, input: PersonInput<'create'>, context: FoldContext): PersonResult {
  return {
    outcome: { kind: 'refused', refusal: reason },
    effects: [
      {
        kind: 'command',
        topic: 'organizations',
        key: input.organizationId,
        type: 'set-up-released',
        input: { userId: input.userId },
      },
      removeIdentity(context, input.identityBlob),
    ],
  };
}
