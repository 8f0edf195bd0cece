import { sha256Hex } from '../../../schemas/base/digest.ts';
import { widgetQuota } from '../../../schemas/feedback/quotas.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { quotaRefusal } from '../../runtime/quota-refusal.ts';
import { refused } from '../../runtime/results.ts';
import type { FeedbackFold } from '../feedback-fold.ts';

/** Creates a widget for one origin, within the plan's lifetime quota. The index leads from its id to the workspace. */
export const createWidget: CommandHandler<FeedbackFold, 'create-widget'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const { widgetId, origin } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const full = quotaRefusal('plan.widgets', widgetQuota(root, alive.lifecycle.plan, limits), context.now);
    if (full !== null) return refused(full);
    const target = { installationId: context.aggregate, widgetId };
    const digest = sha256Hex(widgetId);
    return {
      outcome: { kind: 'done', result: { widgetId, createdAt: context.now } },
      root: { ...root, widgetsMade: root.widgetsMade + 1 },
      put: [
        {
          kind: 'widget',
          id: widgetId,
          document: { origin, createdAt: context.now, counts: { open: 0, done: 0, held: 0 } },
        },
      ],
      effects: [{ kind: 'index', entry: { kind: 'feedback-widget', digest, target, expiresAt: null } }],
      remember: { entity: `widget/${widgetId}` },
    };
  },
};
