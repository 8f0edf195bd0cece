import { beginMonths } from '../../../schemas/imports/allowance.ts';
import { DROPPED, type Step } from '../step.ts';

/** Takes over what the workspace says of itself, unless something newer is known (design rule 7). */
export const lifecycle: Step<'lifecycle'> = {
  reads: () => [],
  fold({ root, input, context }) {
    if (root.lifecycle !== null && input.version <= root.lifecycle.version) return DROPPED;
    const claimed = root.lifecycle?.plan === 'preview' && input.plan !== 'preview';
    const counted = claimed ? beginMonths(root, context.now) : root;
    return { ...DROPPED, root: { ...counted, lifecycle: input } };
  },
};
