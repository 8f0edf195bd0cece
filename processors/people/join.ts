import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import { isTaken, type PersonDocument, type PersonRoot, personOf } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import { withoutReset } from './password.ts';
import type { PersonInput, PersonResult } from './result.ts';
import { endSessions, openSession } from './sessions.ts';

/** Makes a person a member of the organization whose invitation it took up, and signs it in there. */
export function joinOrganization(
  root: PersonRoot | null,
  input: PersonInput<'join'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  const { organizationId, userId, identityBlob, isNew, sessionDigest } = input;
  const reason = refusalOf(root, input, context, limits);
  if (reason !== null) return refuse(reason, input, context);
  const person: PersonDocument = personOf(root) ?? {
    userId,
    createdAt: context.now,
    identityBlob,
    organizationIds: [],
    sessions: [],
    reset: null,
    lastSeenAt: null,
  };
  const unreset = withoutReset(person);
  const joined = { ...unreset.person, organizationIds: [...person.organizationIds, organizationId] };
  const opened = openSession(joined, { digest: sessionDigest, organizationId }, context, limits);
  return {
    outcome: { kind: 'done', result: { userId, isNew } },
    root: opened.root,
    effects: [...unreset.effects, ...opened.effects],
  };
}

function refusalOf(
  root: PersonRoot | null,
  input: PersonInput<'join'>,
  { now }: FoldContext,
  limits: Limits,
): Refusal | null {
  const person = personOf(root);
  if (!isTaken(root)) {
    if (!input.isNew) return SIGN_IN_REFUSED;
    return isIdentityUsable(input.identityBlob, now) ? null : IDENTITY_ENDED;
  }
  if (input.isNew)
    return refusal('state_conflict', {
      at: 'body.email',
      seen: 'an address that a person has already',
      expected: 'one that nobody has here; sign in',
    });
  if (person?.identityBlob !== input.identityBlob || person.userId !== input.userId) return SIGN_IN_REFUSED;
  const { organizationsPerPerson } = limits.console;
  return person.organizationIds.length < organizationsPerPerson
    ? null
    : refusal('limit_reached', {
        at: 'person.organizations',
        seen: `${person.organizationIds.length} organizations`,
        expected: `fewer; a person may belong to at most ${organizationsPerPerson}`,
      });
}

function refuse(reason: Refusal, input: PersonInput<'join'>, context: FoldContext): PersonResult {
  const { invitationId, organizationId, userId, identityBlob, isNew } = input;
  const release: Effect = {
    kind: 'command',
    topic: 'organizations',
    key: organizationId,
    type: 'invitation-released',
    input: { invitationId, userId },
  };
  const effects = isNew ? [release, removeIdentity(context, identityBlob)] : [release];
  return { outcome: { kind: 'refused', refusal: reason }, effects };
}

/**
 * An organization removed this person: it leaves the list, and the sessions for that organization end. That is remembered,
 * so that a person who has joined again since does not leave when this comes once more.
 */
export function leaveOrganization(
  root: PersonDocument | null,
  { organizationId }: PersonInput<'leave'>,
  context: FoldContext,
): PersonResult {
  const outcome = { kind: 'done', result: {} } as const;
  if (root === null) return { outcome, remember: false };
  const { person, effects } = endSessions(root, (session) => session.organizationId === organizationId, {
    personKey: context.aggregate,
    ended: 'left',
  });
  const unreset = withoutReset(person);
  return {
    outcome,
    root: {
      ...unreset.person,
      organizationIds: person.organizationIds.filter((id) => id !== organizationId),
    },
    effects: [...effects, ...unreset.effects],
  };
}
