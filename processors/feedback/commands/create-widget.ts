import { sha256Hex } from '../../../schemas/base/digest.ts';
import { widgetQuota } from '../../../schemas/feedback/quotas.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused, refusedFor } from '../../runtime/results.ts';
import { aliveWorkspace } from '../alive.ts';
import type { FeedbackFold } from '../feedback-fold.ts';

/** Creates a widget for one origin, within the plan's lifetime quota. The index leads from its id to the workspace. */
export const createWidget: CommandHandler<FeedbackFold, 'create-widget'> = {
  fold(scope) {
    const { root, input, context, limits } = scope;
    const { widgetId, origin } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const quota = widgetQuota(root, alive.lifecycle.plan, limits);
    if (quota.remaining === 0) {
      return refusedFor('limit_reached', {
        at: 'plan.widgets',
        seen: `${quota.limit} that were made`,
        expected: `fewer; the plan allows ${quota.limit} ever`,
      });
    }
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
