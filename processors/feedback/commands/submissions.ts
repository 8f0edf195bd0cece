import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import {
  type SubmissionDocument,
  type SubmissionState,
  submissionRowId,
} from '../../../schemas/feedback/documents.ts';
import { feedbackProduct } from '../../../schemas/feedback/product.ts';
import { submissionEnd } from '../../../schemas/feedback/submission-end.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../../runtime/fold/results.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { NO_SUBMISSION, NO_WIDGET, ownedWorkspace } from '../preconditions.ts';
import {
  foundSubmission,
  inboxRow,
  recounted,
  removal,
  removeContent,
  submissionChanges,
  submissionRows,
} from '../submissions.ts';

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
    const charged = feedbackProduct.charge('feedbackSubmissions', root, plan, context.now);
    return {
      outcome: { kind: 'done', result: { receivedAt: context.now } },
      root: held ? feedbackProduct.charge('feedbackHeld', charged, plan, context.now) : charged,
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

function usedUp(scope: Receive, plan: Plan): Refusal | null {
  const full = feedbackProduct.quotaRefusal('feedbackSubmissions', scope, plan);
  const isHeldFull = scope.input.held && feedbackProduct.quotaOf('feedbackHeld', scope, plan).remaining <= 0;
  // A program that sends held ones must not hear of that: it would wait longer.
  return full ?? (isHeldFull ? feedbackProduct.fullRefusal('feedbackSubmissions', scope, plan) : null);
}

/**
 * Confirms that a submission has arrived, which makes it a verified result. A held one counts as missing: a program may have
 * sent it.
 */
export const verifySubmission: CommandHandler<FeedbackFold, 'verify-submission'> = {
  reads: ({ input }) => submissionRows(input),
  fold(scope) {
    const { root, input, context, limits } = scope;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const found = foundSubmission(scope, input);
    if (found === null || found.submission.state === 'held') return refused(notVerifiable(limits));
    const { widget, submission } = found;
    if (context.now >= submissionEnd(submission, alive.lifecycle)) return refused(notVerifiable(limits));
    const { receivedAt } = submission;
    const verified = { submissionId: input.submissionId, at: receivedAt };
    return {
      outcome: { kind: 'done', result: { receivedAt } },
      root: { ...root, lastVerified: verified },
      put: [{ kind: 'widget', id: input.widgetId, document: { ...widget, verified } }],
      remember: false,
    };
  },
};

function notVerifiable({ feedback: { thinkingMs } }: Limits): Refusal {
  return refusal('not_found', {
    at: 'path.submissionId',
    seen: 'the id of no submission that counts',
    expected: `one that the widget has received; one sent within ${thinkingMs / SECOND_MS} s of the opening of its form is held`,
  });
}

/** Moves a submission to another place of the inbox. */
export const moveSubmission: CommandHandler<FeedbackFold, 'move-submission'> = {
  reads: ({ input }) => submissionRows(input),
  fold(scope) {
    const { input, context } = scope;
    const { widgetId, submissionId, state, from } = input;
    const owned = ownedWorkspace(scope);
    if ('refused' in owned) return refused(owned.refused);
    const found = foundSubmission(scope, input);
    if (found === null || context.now >= submissionEnd(found.submission, owned.lifecycle)) {
      return refused(NO_SUBMISSION);
    }
    const { widget, submission } = found;
    const outcome = { kind: 'done', result: { receivedAt: submission.receivedAt, state } } as const;
    if (submission.state === state) return { outcome, remember: false, audit: false };
    if (from !== undefined && submission.state !== from) return refused(movedMeanwhile(from, submission));
    return {
      outcome,
      put: [
        recounted(widgetId, widget, { from: submission.state, to: state }),
        ...submissionChanges({ widgetId, submissionId }, { ...submission, state }),
      ],
      remove: [inboxRow(input, submission)],
      remember: false,
      audit: { from: submission.state, to: state },
    };
  },
};

function movedMeanwhile(from: SubmissionState, { state }: Pick<SubmissionDocument, 'state'>): Refusal {
  return refusal('state_conflict', {
    at: 'body.from',
    seen: from,
    expected: `${state}, the state of the submission now`,
  });
}

/**
 * Erases a submission, whatever the state of its workspace. Its use stays charged. If the submission cannot be read, its content
 * is removed at the end of its retention, unless the row still names it.
 */
export const removeSubmission: CommandHandler<FeedbackFold, 'remove-submission'> = {
  reads: ({ input }) => submissionRows(input),
  admitsUnreadable: ['widget', 'submission'],
  fold(scope) {
    const { row, salvaged, input, context } = scope;
    const { widgetId, submissionId } = input;
    const owned = ownedWorkspace(scope);
    if ('refused' in owned) return refused(owned.refused);
    const id = submissionRowId(widgetId, submissionId);
    const submission = row('submission', id) ?? salvaged('submission', id);
    const widget = row('widget', widgetId);
    if (submission === null || (widget ?? salvaged('widget', widgetId)) === null)
      return refused(NO_SUBMISSION);
    return { ...DONE_UNREMEMBERED, ...removal(context, input, { widget, submission }) };
  },
};

/** Removes a submission that has ended. It was unreadable since its end. */
export const tidySubmission: CommandHandler<FeedbackFold, 'tidy-submission'> = {
  reads: ({ input }) => submissionRows(input),
  fold(scope) {
    const { root, input, context } = scope;
    const found = foundSubmission(scope, input);
    if (found === null || root.lifecycle === null) return DONE_UNREMEMBERED;
    if (context.now < submissionEnd(found.submission, root.lifecycle)) return DONE_UNREMEMBERED;
    return { ...DONE_UNREMEMBERED, ...removal(context, input, found) };
  },
};
