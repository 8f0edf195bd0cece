import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { endTokens } from '../sessions.ts';

/** Removes rows of an erased workspace, with the look-ups that lead to sessions. */
export const eraseRows: CommandHandler<ActivateFold, 'erase-rows'> = {
  reads: ({ input: { rows } }) => rows.filter(({ kind }) => kind === 'sessions'),
  fold({ row, root, input }) {
    if (root.lifecycle?.state !== 'erased') {
      throw new Error('removing rows of checklists that were not erased');
    }
    const sessions = input.rows
      .filter(({ kind }) => kind === 'sessions')
      .flatMap(({ id }) => row('sessions', id)?.sessions ?? []);
    return { ...DONE_UNREMEMBERED, erase: input.rows, effects: endTokens(sessions) };
  },
};
