import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import { failImport, runningAttempt } from '../attempt.ts';
import type { ImportsFold } from '../imports-fold.ts';

/** The file as a whole cannot be imported. */
export const splitFailed: CommandHandler<ImportsFold, 'split-failed'> = {
  reads: ({ input: { importId } }) => [{ kind: 'import', id: importId }],
  fold(scope) {
    const running = runningAttempt(scope);
    return running === null ? DONE_UNREMEMBERED : failImport(scope, running.document, scope.input.fault);
  },
};
