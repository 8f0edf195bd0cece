import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { type SubmissionDocument, submissionRowId } from '../../../schemas/feedback/documents.ts';
import { chargeSubmission, heldQuota, submissionQuota } from '../../../schemas/feedback/quotas.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold.ts';
import { quotaRefusal } from '../../runtime/quota-refusal.ts';
import { refused } from '../../runtime/results.ts';
import { NO_WIDGET } from '../alive.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { recounted, removeContent, submissionChanges, submissionRows } from '../submissions.ts';

type Receive = Scope<FeedbackFold, 'receive-submission'>;

/**
 * Stores a submission once: the id, which the widget makes, tells a repeat. Everything but the first one removes the content
 * that came with it.
 */
export const receiveSubmission: CommandHandler<FeedbackFold, 'receive-submission'> = {
  reads: ({ input }) => submissionRows(input),
  fold(scope) {
    const { row, root, input, context, limits } = scope;
    const { widgetId, submissionId, blob, digest, held } = input;
    const discard = [removeContent(context.aggregate, widgetId, blob)];
    const alive = aliveWorkspace(scope, 'refused');
    if ('refused' in alive) return refused(alive.refused, discard);
    const widget = row('widget', widgetId);
    if (widget === null) return refused(NO_WIDGET, discard);
    const before = row('submission', submissionRowId(widgetId, submissionId));
    if (before !== null) return repeated(scope, before);
    const { plan } = alive.lifecycle;
    const full = usedUp(scope, plan);
    if (full !== null) return refused(full, discard);
    const document: SubmissionDocument = {
      state: held ? 'held' : 'open',
      receivedAt: context.now,
      retainedUntil: context.now + limits.feedback.retentionMs,
      blob,
      digest,
    };
    return {
      outcome: { kind: 'done', result: { receivedAt: context.now } },
      root: chargeSubmission(root, plan, context.now, held),
      put: [
        recounted(widgetId, widget, { to: document.state }),
        ...submissionChanges({ widgetId, submissionId }, document),
      ],
      remember: false,
    };
  },
};

/** The answer to the first submission with this id, or the refusal of another content. */
function repeated(
  { input, context }: Receive,
  { receivedAt, digest, blob }: SubmissionDocument,
): FoldResult<FeedbackFold, 'receive-submission'> {
  const effects = input.blob === blob ? [] : [removeContent(context.aggregate, input.widgetId, input.blob)];
  if (digest !== input.digest) return refused(OTHER_CONTENT, effects);
  return { outcome: { kind: 'done', result: { receivedAt } }, remember: false, effects };
}

const OTHER_CONTENT = refusal('idempotency_conflict', {
  at: 'body.submissionId',
  seen: 'the id of a submission with other content',
  expected: 'a new id for new content',
});

function usedUp({ root, input, context, limits }: Receive, plan: Plan): Refusal | null {
  const { now } = context;
  const all = quotaRefusal('plan.submissions', submissionQuota(root, plan, limits, now), now);
  if (all !== null || !input.held) return all;
  return quotaRefusal('plan.heldSubmissions', heldQuota(root, plan, limits, now), now);
}
