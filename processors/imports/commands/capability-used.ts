import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ImportsFold } from '../imports-fold.ts';

/** Keeps when a capability was last seen. */
export const capabilityUsed: CommandHandler<ImportsFold, 'capability-used'> = {
  reads: ({ input: { capabilityId } }) => [{ kind: 'capability', id: capabilityId }],
  fold({ row, input, context }) {
    const { capabilityId } = input;
    const capability = row('capability', capabilityId);
    if (capability === null) return DONE_UNREMEMBERED;
    const document = { ...capability, lastUsedAt: context.now };
    return { ...DONE_UNREMEMBERED, put: [{ kind: 'capability', id: capabilityId, document }] };
  },
};
