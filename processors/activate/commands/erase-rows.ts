import { endTokens } from '../sessions.ts';
import { DROPPED, type Step } from '../step.ts';

/** Removes rows of an erased workspace, with the look-ups that lead to sessions. */
export const eraseRows: Step<'erase-rows'> = {
  reads: ({ rows }) => rows.filter(({ kind }) => kind === 'sessions'),
  fold({ view, root, input }) {
    if (root.lifecycle?.state !== 'erased') {
      throw new Error('removing rows of checklists that were not erased');
    }
    const sessions = input.rows
      .filter(({ kind }) => kind === 'sessions')
      .flatMap(({ id }) => view.row('sessions', id)?.sessions ?? []);
    return { ...DROPPED, erase: input.rows, effects: endTokens(sessions) };
  },
};
