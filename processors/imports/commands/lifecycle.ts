import { beginMonths } from '../../../schemas/imports/allowance.ts';
import { EMPTY_IMPORTS_ROOT } from '../../../schemas/imports/documents.ts';
import { eraseMore } from '../../runtime/erasure.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ImportsFold } from '../imports-fold.ts';

/**
 * Takes over the state that the workspace reports, unless a newer one is known. Of an erased one nothing
 * is kept but that mark; its rows go in the steps that follow.
 */
export const lifecycle: CommandHandler<ImportsFold, 'lifecycle'> = {
  fold({ root, input, context }) {
    if (root.lifecycle !== null && input.version <= root.lifecycle.version) return DONE_UNREMEMBERED;
    if (input.state === 'erased') {
      return {
        ...DONE_UNREMEMBERED,
        root: { ...EMPTY_IMPORTS_ROOT, lifecycle: input },
        effects: [eraseMore('imports', context.aggregate)],
      };
    }
    const claimed = root.lifecycle?.plan === 'preview' && input.plan !== 'preview';
    const counted = claimed ? beginMonths(root, context.now) : root;
    return { ...DONE_UNREMEMBERED, root: { ...counted, lifecycle: input } };
  },
};
