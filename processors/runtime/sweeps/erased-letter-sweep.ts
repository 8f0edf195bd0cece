import { erasureItems } from '../../../schemas/base/erasure.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { Sweep } from './sweeper.ts';

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
