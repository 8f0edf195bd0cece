import type { PersonDocument } from '../../schemas/people/documents.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { removeIdentity } from './identities.ts';
import { leaveOrganization } from './join.ts';
import { withoutReset } from './password.ts';
import type { PersonInput, PersonResult } from './result.ts';
import { endSessions } from './sessions.ts';

/** Erases a person whose password was just verified: one organization after the other lets the person go. */
export function erasePerson(
  root: PersonDocument | null,
  { from }: PersonInput<'erase-person'>,
  context: FoldContext,
): PersonResult {
  if (root === null || root.identityBlob !== from) return refused(SIGN_IN_REFUSED);
  return eraseFurther(root, context);
}

/** An organization has let the person go. */
export function leaveAndErase(
  root: PersonDocument | null,
  input: PersonInput<'member-erased'>,
  context: FoldContext,
): PersonResult {
  if (root === null) return { outcome: { kind: 'done', result: {} }, audit: false };
  const left = leaveOrganization(root, input, context);
  const person = { ...root, ...left.root };
  const further = eraseFurther(person, context);
  return {
    ...further,
    root: further.root ?? person,
    effects: [...(left.effects ?? []), ...(further.effects ?? [])],
  };
}

/** Asks the next organization, which answers if it refuses; without any, nothing of the person is kept. */
function eraseFurther(person: PersonDocument, context: FoldContext): PersonResult {
  const [next] = person.organizationIds;
  if (next === undefined) {
    return {
      outcome: { kind: 'done', result: {} },
      root: { state: 'vacant' },
      effects: [
        ...endSessions(person, () => true).effects,
        ...withoutReset(person).effects,
        removeIdentity(context, person.identityBlob),
      ],
      audit: false,
    };
  }
  return {
    outcome: { kind: 'deferred' },
    effects: [
      {
        kind: 'command',
        topic: 'organizations',
        key: next,
        type: 'erase-member',
        input: { userId: person.userId, personKey: context.aggregate },
        answers: true,
      },
    ],
  };
}
