// Reads: the topic `dead-letters`, delayed. Writes: nothing; it returns the commands that remove letters which have ended.
import { DEAD_LETTERS, deadLetterCommands, LETTER_KEPT_MS } from '../../schemas/operations/dead-letters.ts';
import { commandTo } from '../runtime/fold/results.ts';
import type { Sweep } from '../runtime/sweeps/sweeper.ts';

const ROUNDS = 2;

/**
 * Removes dead letters once they have ended. A letter lives as long as its topic keeps records, which is longer than a sweep can
 * wait for one: so a first round at half of that time only sends the second one.
 */
export const letterSweep: Sweep<typeof deadLetterCommands> = {
  topic: 'dead-letters',
  commands: deadLetterCommands,
  name: 'letters',
  types: ['dead-letter', 'tidy-letters'],
  delayMs: LETTER_KEPT_MS / ROUNDS,
  due: async (command) => {
    const isFirst = command.type === 'dead-letter';
    if (!isFirst && !(command.type === 'tidy-letters' && command.input.again)) return [];
    const input = { again: isFirst };
    return [commandTo({ topic: 'dead-letters', key: DEAD_LETTERS, type: 'tidy-letters', input })];
  },
};
