import { beginMonths } from '../../../schemas/imports/allowance.ts';
import { EMPTY_IMPORTS_ROOT } from '../../../schemas/imports/documents.ts';
import { eraseMore } from '../../runtime/erasure.ts';
import { DROPPED, type Step } from '../step.ts';

/**
 * Takes over what the workspace says of itself, unless something newer is known (design rule 7). Of an erased one nothing
 * is kept but that mark; its rows go in the steps that follow.
 */
export const lifecycle: Step<'lifecycle'> = {
  reads: () => [],
  fold({ root, input, context }) {
    if (root.lifecycle !== null && input.version <= root.lifecycle.version) return DROPPED;
    if (input.state === 'erased') {
      return {
        ...DROPPED,
        root: { ...EMPTY_IMPORTS_ROOT, lifecycle: input },
        effects: [eraseMore('imports', context.aggregate)],
      };
    }
    const claimed = root.lifecycle?.plan === 'preview' && input.plan !== 'preview';
    const counted = claimed ? beginMonths(root, context.now) : root;
    return { ...DROPPED, root: { ...counted, lifecycle: input } };
  },
};
