import { type PersonDocument, personOf } from '../../schemas/people/documents.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { CommandHandler, FoldContext, FoldResult } from '../runtime/fold/fold.ts';
import { commandTo, DONE, deferredTo, refused } from '../runtime/fold/results.ts';
import { eraseDeadLetters } from '../runtime/sweeps/erasure.ts';
import { removeIdentity } from './identities.ts';
import { leave } from './join.ts';
import { withoutReset } from './password.ts';
import type { PeopleFold } from './people-fold.ts';
import { endSessions } from './sessions.ts';

/** Erases a person whose password was just verified: one organization after the other removes the member. */
export const erasePerson: CommandHandler<PeopleFold, 'erase-person'> = {
  fold({ root, input: { from }, context }) {
    const person = personOf(root);
    if (person === null || person.identityBlob !== from) return refused(SIGN_IN_REFUSED);
    return eraseFurther(person, context);
  },
};

/** An organization has removed the member. */
export const leaveAndErase: CommandHandler<PeopleFold, 'member-erased'> = {
  fold({ root, input, context }) {
    const person = personOf(root);
    if (person === null) return { ...DONE, audit: false };
    const left = leave(person, input.organizationId, context);
    const further = eraseFurther(left.person, context);
    return {
      ...further,
      root: further.root ?? left.person,
      effects: [...left.effects, ...(further.effects ?? [])],
    };
  },
};

/**
 * Sends the removal to the next organization, which answers if it refuses. Without a further organization, the person
 * is erased.
 */
function eraseFurther(
  person: PersonDocument,
  context: FoldContext,
): FoldResult<PeopleFold, 'erase-person' | 'member-erased'> {
  const [next] = person.organizationIds;
  if (next === undefined) {
    return {
      ...DONE,
      root: { state: 'vacant' },
      effects: [
        ...endSessions(person, () => true).effects,
        ...withoutReset(person).effects,
        removeIdentity(context, person.identityBlob),
        commandTo({ topic: 'mail', key: context.aggregate, type: 'forget', input: {} }),
        eraseDeadLetters(context.aggregate, context),
      ],
      audit: false,
    };
  }
  return {
    ...deferredTo({
      topic: 'organizations',
      key: next,
      type: 'erase-member',
      input: { userId: person.userId, personKey: context.aggregate },
    }),
  };
}
