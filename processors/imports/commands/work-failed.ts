import { endAttempt, freeSlot, INTERNAL_FAILURE, removeAttemptBytes, runningAttempt } from '../attempt.ts';
import { DROPPED, importChange, type Step } from '../step.ts';

/** A work item ended in the dead letters: the validation fails, and the import can be validated again (contract D). */
export const workFailed: Step<'work-failed'> = {
  reads: ({ importId }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    const { view, root, input, context } = scope;
    const { importId, attempt } = input;
    if (running === null) {
      const document = view.row('import', importId);
      const wanted = document?.validation?.attempt === attempt && document.tidiedAt === null;
      // The worker may have written after the attempt ended, and its item is not handled again.
      return wanted ? DROPPED : { ...DROPPED, effects: [removeAttemptBytes(context, importId, attempt)] };
    }
    return {
      ...DROPPED,
      root: freeSlot(root, importId),
      put: [importChange(importId, endAttempt(running.document, INTERNAL_FAILURE))],
      effects: [removeAttemptBytes(context, importId, attempt)],
    };
  },
};
