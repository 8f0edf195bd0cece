import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { isTaken, type PersonDocument, personOf } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { CommandHandler, Effect, FoldContext, Scope } from '../runtime/fold/fold.ts';
import { commandTo, DONE, DONE_UNREMEMBERED, refused } from '../runtime/fold/results.ts';
import { newPerson } from './create.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import { withoutReset } from './password.ts';
import type { PeopleFold } from './people-fold.ts';
import { endSessions, openSession } from './sessions.ts';

type Joining = Scope<PeopleFold, 'join'>;

/** Makes a person a member of the organization whose invitation it took up, and signs it in there. */
export const joinOrganization: CommandHandler<PeopleFold, 'join'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const { organizationId, userId, identityBlob, isNew, sessionDigest: digest, browser } = input;
    const reason = refusalOf(scope);
    if (reason !== null) return refuse(reason, scope);
    const person = personOf(root) ?? newPerson({ userId, identityBlob, organizationIds: [] }, context.now);
    const unreset = withoutReset(person);
    const joined = { ...unreset.person, organizationIds: [...person.organizationIds, organizationId] };
    const opened = openSession(joined, { digest, organizationId, browser }, context, limits);
    return {
      outcome: { kind: 'done', result: { userId, isNew } },
      root: opened.root,
      effects: [...unreset.effects, ...opened.effects],
    };
  },
};

function refusalOf({ root, input, context, limits }: Joining): Refusal | null {
  const person = personOf(root);
  if (!isTaken(root)) {
    if (!input.isNew) return SIGN_IN_REFUSED;
    return isIdentityUsable(input.identityBlob, context.now) ? null : IDENTITY_ENDED;
  }
  if (input.isNew)
    return refusal('state_conflict', {
      at: 'body.email',
      seen: 'an address that a person has already',
      expected: 'an address without an account; sign in',
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

function refuse(reason: Refusal, { input, context }: Joining) {
  const { invitationId, organizationId, userId, identityBlob, isNew } = input;
  const release = commandTo({
    topic: 'organizations',
    key: organizationId,
    type: 'invitation-released',
    input: { invitationId, userId },
  });
  return refused(reason, isNew ? [release, removeIdentity(context, identityBlob)] : [release]);
}

/**
 * Handles the removal of this person by an organization: the organization leaves the list, and the sessions for it
 * end. The outcome is remembered, so that a second copy does not remove a person who has joined again since.
 */
export const leaveOrganization: CommandHandler<PeopleFold, 'leave'> = {
  fold({ root, input, context }) {
    const member = personOf(root);
    if (member === null) return DONE_UNREMEMBERED;
    const { person, effects } = leave(member, input.organizationId, context);
    return { ...DONE, root: person, effects };
  },
};

/** The person without one organization, its sessions there and an outstanding reset link. */
export function leave(
  member: PersonDocument,
  organizationId: string,
  context: FoldContext,
): { person: PersonDocument; effects: Effect[] } {
  const { person, effects } = endSessions(member, (session) => session.organizationId === organizationId, {
    personKey: context.aggregate,
    ended: 'left',
  });
  const unreset = withoutReset(person);
  return {
    person: {
      ...unreset.person,
      organizationIds: person.organizationIds.filter((id) => id !== organizationId),
    },
    effects: [...effects, ...unreset.effects],
  };
}
