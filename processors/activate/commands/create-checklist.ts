import { checklistAllowance } from '../../../schemas/activate/allowance.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { aliveWorkspace } from '../alive.ts';
import { configured } from '../revisions.ts';

/** Makes a checklist with its first revision, against the plan's lifetime allowance. */
export const createChecklist: CommandHandler<ActivateFold, 'create-checklist'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const allowance = checklistAllowance(root, alive.lifecycle.plan, limits);
    if (allowance.remaining === 0) {
      return refused(
        refusal('limit_reached', {
          at: 'plan.checklists',
          seen: `${allowance.limit} that were made`,
          expected: `fewer; the plan allows ${allowance.limit} ever`,
        }),
      );
    }
    return {
      ...configured(input, { revision: 1, createdAt: context.now, now: context.now }),
      root: { ...root, checklistsMade: root.checklistsMade + 1 },
    };
  },
};
