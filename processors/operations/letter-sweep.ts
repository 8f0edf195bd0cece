// Read: the topics `dead-letters` and `erasures`, delayed. Write: nothing; they return the commands that remove letters.
import { erasureItems } from '../../schemas/base/erasure.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
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

/**
 * Searches for the letters about what was erased a second time, a day later: a consumer that is behind, or an item of work that
 * is repeated, may send a letter about an older record after the erasure.
 */
export const erasedLetterSweep: Sweep<typeof erasureItems, 'erasures'> = {
  topic: 'erasures',
  commands: erasureItems,
  name: 'letters',
  types: ['erase-letters'],
  delayMs: DAY_MS,
  due: async (item, key) => {
    if (item.type !== 'erase-letters' || item.input.again) return [];
    return [
      { kind: 'command', topic: 'erasures', key, type: item.type, input: { ...item.input, again: true } },
    ];
  },
};
