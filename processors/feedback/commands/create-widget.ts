import type { FeedbackRoot } from '../../../schemas/feedback/documents.ts';
import { feedbackProduct } from '../../../schemas/feedback/product.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler, FoldContext } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { removeWidget, widgetEntry } from '../submissions.ts';

/**
 * Creates a widget for one origin, within the plan's lifetime quota. The index leads from its id to the workspace. A full preview
 * without a submission replaces its latest widget, which is not charged; a widget of the same origin stays.
 */
export const createWidget: CommandHandler<FeedbackFold, 'create-widget'> = {
  reads: (_command, view) => {
    const id = view.root?.latestWidgetId;
    return id === undefined ? [] : [{ kind: 'widget', id }];
  },
  fold(scope) {
    const { root, row, input, context } = scope;
    const { widgetId, origin } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { plan } = alive.lifecycle;
    const full = feedbackProduct.quotaRefusal('feedbackWidgets', scope, plan);
    const formerId = full === null ? null : replaceableWidgetId(root, plan);
    const former = formerId === null ? null : row('widget', formerId);
    if (formerId === null || former === null) {
      if (full !== null) return refused(full);
      return {
        ...created(widgetId, origin, context),
        root: {
          ...feedbackProduct.charge('feedbackWidgets', root, plan, context.now),
          latestWidgetId: widgetId,
        },
      };
    }
    if (former.origin === origin) {
      const result = { widgetId: formerId, createdAt: former.createdAt };
      return { outcome: { kind: 'done', result }, remember: { entity: `widget/${formerId}` } };
    }
    const made = created(widgetId, origin, context);
    return {
      ...made,
      outcome: { kind: 'done', result: { ...made.outcome.result, replacedOrigin: former.origin } },
      root: { ...root, latestWidgetId: widgetId },
      remove: [{ kind: 'widget', id: formerId }],
      effects: [...removeWidget(context.aggregate, formerId), ...made.effects],
      forget: [`widget/${formerId}`],
    };
  },
};

/** The id of the latest widget of a full preview, as long as no submission has arrived: another one may replace it. */
function replaceableWidgetId({ submissionsMade, latestWidgetId }: FeedbackRoot, plan: Plan): string | null {
  return plan === 'preview' && submissionsMade === 0 ? (latestWidgetId ?? null) : null;
}

function created(widgetId: string, origin: string, { aggregate, now }: FoldContext) {
  const document = { origin, createdAt: now, counts: { open: 0, done: 0, held: 0 } };
  return {
    outcome: { kind: 'done', result: { widgetId, createdAt: now } },
    put: [{ kind: 'widget', id: widgetId, document }],
    effects: [widgetEntry(widgetId, aggregate)],
    remember: { entity: `widget/${widgetId}` },
  } as const;
}
