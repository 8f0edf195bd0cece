// Reads: the topic `dead-letters`. Writes: the table `operations`, and records that an operator sends again to their topics.
import type { Limits } from '../../schemas/limits.ts';
import {
  deadLetterCommands,
  EMPTY_LETTERS,
  letterDocumentSchema,
  lettersRootSchema,
} from '../../schemas/operations/dead-letters.ts';
import { type AnyFold, defineFold } from '../runtime/fold/fold.ts';
import { discardLetter, replayLetter } from './close-letter.ts';
import type { LettersFold } from './letters-fold.ts';
import { eraseLetters, listLetter, tidyLetters } from './list-letter.ts';

/** The fold of dead letters: the list that operators work off. */
export function createLettersFold(limits: Limits): AnyFold {
  return defineFold<LettersFold>({
    topic: 'dead-letters',
    commands: deadLetterCommands,
    rootSchema: lettersRootSchema,
    rowSchemas: { letter: letterDocumentSchema },
    limits,
    emptyRoot: EMPTY_LETTERS,
    handlers: {
      'dead-letter': listLetter,
      replay: replayLetter,
      discard: discardLetter,
      'tidy-letters': tidyLetters,
      'erase-letters': eraseLetters,
    },
  });
}
