import type { peopleCommands } from '../../schemas/people/commands.ts';
import type { PersonRoot } from '../../schemas/people/documents.ts';
import type { FoldTypes } from '../runtime/fold/fold.ts';

/** The types of the fold of people. A person is small and bounded: it is its root, without rows. */
export interface PeopleFold extends FoldTypes {
  readonly commands: typeof peopleCommands;
  readonly root: PersonRoot | null;
  readonly rows: Record<never, never>;
}
