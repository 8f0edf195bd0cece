import { checksRowSchemas } from '../../schemas/checks/documents.ts';
import { checksProduct } from '../../schemas/checks/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { AnyFold } from '../runtime/fold.ts';
import { defineProductFold } from '../runtime/product-fold.ts';
import type { ChecksFold } from './checks-fold.ts';
import { confirmOrigin } from './commands/confirm-origin.ts';
import { createOrigin } from './commands/create-origin.ts';
import { createProfile } from './commands/create-profile.ts';
import { createSuite } from './commands/create-suite.ts';
import { removeBytes, requestRun } from './commands/request-run.ts';
import { abandonRun, beginRun, endOverdueRun, finishRun } from './commands/runs.ts';

/** The fold of browser checks: one aggregate an installation. */
export function createChecksFold(limits: Limits): AnyFold {
  return defineProductFold<ChecksFold>(checksProduct, {
    rowSchemas: checksRowSchemas,
    limits,
    erases: { run: (_run, runId, { aggregate }) => [removeBytes(aggregate, runId)] },
    handlers: {
      'create-origin': createOrigin,
      'confirm-origin': confirmOrigin,
      'create-profile': createProfile,
      'create-suite': createSuite,
      'request-run': requestRun,
      'begin-run': beginRun,
      'finish-run': finishRun,
      'abandon-run': abandonRun,
      'end-run': endOverdueRun,
    },
  });
}
