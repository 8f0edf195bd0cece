import { endAttempt, freeSlot, INTERNAL_FAILURE, removeAttemptBytes, runningAttempt } from '../attempt.ts';
import { DROPPED, importChange, type Step } from '../step.ts';

/** A work item ended in the dead letters: the validation fails, and the import can be validated again (contract D). */
export const workFailed: Step<'work-failed'> = {
  reads: ({ importId }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    if (running === null) return DROPPED;
    const { root, input, context } = scope;
    const { importId, attempt } = input;
    return {
      ...DROPPED,
      root: freeSlot(root, importId),
      put: [importChange(importId, endAttempt(running.document, INTERNAL_FAILURE))],
      effects: [removeAttemptBytes(context, importId, attempt)],
    };
  },
};
