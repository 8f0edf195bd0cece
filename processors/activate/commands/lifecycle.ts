import { beginMonths } from '../../../schemas/activate/allowance.ts';
import { EMPTY_ACTIVATE_ROOT } from '../../../schemas/activate/documents.ts';
import { eraseMore } from '../../runtime/erasure.ts';
import { DROPPED, type Step } from '../step.ts';

/**
 * Takes over what the workspace says of itself, unless something newer is known (design rule 7). Of an erased workspace
 * nothing is kept but that mark; its rows go in the steps that follow.
 */
export const lifecycle: Step<'lifecycle'> = {
  reads: () => [],
  fold({ root, input, context }) {
    const known = root.lifecycle;
    if (known !== null && input.version <= known.version) return DROPPED;
    if (input.state === 'erased') {
      return {
        ...DROPPED,
        root: { ...EMPTY_ACTIVATE_ROOT, lifecycle: input },
        effects: [eraseMore('activate', context.aggregate)],
      };
    }
    const claimed = known?.plan === 'preview' && input.plan !== 'preview';
    const counted = claimed ? beginMonths(root, context.now) : root;
    return { ...DROPPED, root: { ...counted, lifecycle: input } };
  },
};
