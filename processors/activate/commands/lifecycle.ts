import { beginMonths } from '../../../schemas/activate/allowance.ts';
import { EMPTY_ACTIVATE_ROOT } from '../../../schemas/activate/documents.ts';
import { eraseMore } from '../../runtime/erasure.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ActivateFold } from '../activate-fold.ts';

/**
 * Stores the workspace's lifecycle record, unless a newer one is known (ARCHITECTURE.md, rule 7). For an erased
 * workspace, only that mark is kept; the steps that follow delete its rows.
 */
export const lifecycle: CommandHandler<ActivateFold, 'lifecycle'> = {
  fold({ root, input, context }) {
    const known = root.lifecycle;
    if (known !== null && input.version <= known.version) return DONE_UNREMEMBERED;
    if (input.state === 'erased') {
      return {
        ...DONE_UNREMEMBERED,
        root: { ...EMPTY_ACTIVATE_ROOT, lifecycle: input },
        effects: [eraseMore('activate', context.aggregate)],
      };
    }
    const claimed = known?.plan === 'preview' && input.plan !== 'preview';
    const counted = claimed ? beginMonths(root, context.now) : root;
    return { ...DONE_UNREMEMBERED, root: { ...counted, lifecycle: input } };
  },
};
