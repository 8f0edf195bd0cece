import type { CommandHandler } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/fold/results.ts';
import { endAttempt, freeSlot, INTERNAL_FAILURE, removeAttemptBytes, runningAttempt } from '../attempt.ts';
import { importChange } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';

/** A work item ended in the dead letters: the validation fails, and the import can be validated again. */
export const workFailed: CommandHandler<ImportsFold, 'work-failed'> = {
  reads: ({ input: { importId } }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    const { row, root, input, context } = scope;
    const { importId, attempt } = input;
    if (running === null) {
      const document = row('import', importId);
      const wanted = document?.validation?.attempt === attempt && document.tidiedAt === null;
      // The worker may have written after the attempt ended, and its item is not handled again.
      return wanted
        ? DONE_UNREMEMBERED
        : { ...DONE_UNREMEMBERED, effects: [removeAttemptBytes(context, importId, attempt)] };
    }
    return {
      ...DONE_UNREMEMBERED,
      root: freeSlot(root, importId),
      put: [importChange(importId, endAttempt(running.document, INTERNAL_FAILURE))],
      effects: [removeAttemptBytes(context, importId, attempt)],
    };
  },
};
