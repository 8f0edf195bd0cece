import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { submissionEnd } from '../../../schemas/feedback/quotas.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { foundSubmission, submissionRows } from '../submissions.ts';

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
