import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import { PERSON_BLOB_GROUP, type PersonDocument } from '../../schemas/people/documents.ts';
import type { FoldContext } from '../runtime/fold.ts';
import type { PersonInput, PersonResult } from './result.ts';
import { openSession } from './sessions.ts';

/** Makes a person who owns a new organization, and opens the first session; the organization waits for this answer. */
export function createPerson(
  root: PersonDocument | null,
  input: PersonInput<'create'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  if (root !== null) return refuseSecond(input, context);
  const { userId, organizationId, identityBlob, sessionDigest } = input;
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
  root: PersonDocument | null,
  { userId, identityBlob, sessionDigest }: PersonInput<'enroll'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  if (root !== null) {
    const address = { owner: context.aggregate, group: PERSON_BLOB_GROUP, name: identityBlob };
    return {
      outcome: {
        kind: 'refused',
        refusal: refusal('state_conflict', 'This person exists already; sign in again.'),
      },
      effects: [{ kind: 'remove-blob', address }],
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

function refuseSecond(input: PersonInput<'create'>, context: FoldContext): PersonResult {
  return {
    outcome: {
      kind: 'refused',
      refusal: refusal('state_conflict', 'email: a person with this address exists already.'),
    },
    effects: [
      {
        kind: 'command',
        topic: 'organizations',
        key: input.organizationId,
        type: 'set-up-released',
        input: { userId: input.userId },
      },
      {
        kind: 'remove-blob',
        address: { owner: context.aggregate, group: PERSON_BLOB_GROUP, name: input.identityBlob },
      },
    ],
  };
}
