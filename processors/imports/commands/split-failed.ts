import { failImport, runningAttempt } from '../attempt.ts';
import { DROPPED, type Step } from '../step.ts';

/** The file as a whole cannot be imported. */
export const splitFailed: Step<'split-failed'> = {
  reads: ({ importId }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    return running === null ? DROPPED : failImport(scope, running.document, scope.input.fault);
  },
};
