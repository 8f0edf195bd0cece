import { checklistQuota } from '../../../schemas/activate/quotas.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { quotaRefusal } from '../../runtime/quota-refusal.ts';
import { refused } from '../../runtime/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { configured } from '../revisions.ts';

/** Creates a checklist with its first revision, within the plan's lifetime quota. */
export const createChecklist: CommandHandler<ActivateFold, 'create-checklist'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const full = quotaRefusal(
      'plan.checklists',
      checklistQuota(root, alive.lifecycle.plan, limits),
      context.now,
    );
    if (full !== null) return refused(full);
    return {
      ...configured(input, { revision: 1, createdAt: context.now, now: context.now }),
      root: { ...root, checklistsMade: root.checklistsMade + 1 },
    };
  },
};
