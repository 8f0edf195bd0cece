import { checklistQuota } from '../../../schemas/activate/quotas.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused, refusedFor } from '../../runtime/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { aliveWorkspace } from '../alive.ts';
import { configured } from '../revisions.ts';

/** Creates a checklist with its first revision, within the plan's lifetime quota. */
export const createChecklist: CommandHandler<ActivateFold, 'create-checklist'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const quota = checklistQuota(root, alive.lifecycle.plan, limits);
    if (quota.remaining === 0) {
      return refusedFor('limit_reached', {
        at: 'plan.checklists',
        seen: `${quota.limit} that were made`,
        expected: `fewer; the plan allows ${quota.limit} ever`,
      });
    }
    return {
      ...configured(input, { revision: 1, createdAt: context.now, now: context.now }),
      root: { ...root, checklistsMade: root.checklistsMade + 1 },
    };
  },
};
