import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { SubmissionDocument, SubmissionState } from '../../../schemas/feedback/documents.ts';
import { submissionEnd } from '../../../schemas/feedback/quotas.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import { NO_SUBMISSION, ownedWorkspace } from '../alive.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { foundSubmission, inboxRow, recounted, submissionChanges, submissionRows } from '../submissions.ts';

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
