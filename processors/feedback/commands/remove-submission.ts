import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../../runtime/results.ts';
import { NO_SUBMISSION, ownedWorkspace } from '../alive.ts';
import type { FeedbackFold } from '../feedback-fold.ts';
import { foundSubmission, removal, submissionRows } from '../submissions.ts';

/** Erases a submission, whatever the state of its workspace. Its use stays charged. */
export const removeSubmission: CommandHandler<FeedbackFold, 'remove-submission'> = {
  reads: ({ input }) => submissionRows(input),
  fold(scope) {
    const { input, context } = scope;
    const owned = ownedWorkspace(scope);
    if ('refused' in owned) return refused(owned.refused);
    const found = foundSubmission(scope, input);
    if (found === null) return refused(NO_SUBMISSION);
    return { ...DONE_UNREMEMBERED, ...removal(context, input, found) };
  },
};
