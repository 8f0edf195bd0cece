import { personOf } from '../../schemas/people/documents.ts';
import type { CommandHandler } from '../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/results.ts';
import type { PeopleFold } from './people-fold.ts';

/** Notes when a person was last seen, to the hour: several gateways report it. */
export const notePersonSeen: CommandHandler<PeopleFold, 'seen'> = {
  fold({ root, context, limits }) {
    const person = personOf(root);
    if (person === null) return DONE_UNREMEMBERED;
    const { lastSeenAt } = person;
    if (lastSeenAt !== null && context.now < lastSeenAt + limits.workspace.lastUseMs)
      return DONE_UNREMEMBERED;
    return { ...DONE_UNREMEMBERED, root: { ...person, lastSeenAt: context.now } };
  },
};
