import { meteredKeyId } from '../../schemas/usage/documents.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import type { UsageFold } from './usage-fold.ts';

/** Adds the uses of a live key to the month of its organization. The uses of a key in a month only grow. */
export const meterKey: CommandHandler<UsageFold, 'add-key'> = {
  reads: ({ input: { keyId, month } }) => [
    { kind: 'metered', id: month },
    { kind: 'metered-key', id: meteredKeyId(month, keyId) },
  ],
  fold({ root, row, input: { keyId, month, used } }) {
    const id = meteredKeyId(month, keyId);
    const before = row('metered-key', id)?.used ?? 0;
    if (used <= before) return DONE_UNREMEMBERED;
    const total = (row('metered', month)?.used ?? 0) + used - before;
    return {
      ...DONE_UNREMEMBERED,
      root: root ?? { kind: 'organization' },
      put: [
        { kind: 'metered-key', id, document: { used } },
        { kind: 'metered', id: month, document: { used: total } },
      ],
    };
  },
};
