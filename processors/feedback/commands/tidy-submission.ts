import { submissionEnd } from '../../../schemas/feedback/quotas.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { foundSubmission, removal, submissionRows } from '../submissions.ts';

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
