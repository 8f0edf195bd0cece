import type {
  deadLetterCommands,
  LetterDocument,
  LettersRoot,
} from '../../schemas/operations/dead-letters.ts';
import type { FoldTypes } from '../runtime/fold/fold.ts';

export interface LettersFold extends FoldTypes {
  readonly commands: typeof deadLetterCommands;
  readonly root: LettersRoot;
  readonly rows: { readonly letter: LetterDocument };
}
