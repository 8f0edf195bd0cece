import { checksProduct } from '../../schemas/checks/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { AnyFold } from '../runtime/fold/fold.ts';
import { defineProductFold } from '../runtime/fold/product-fold.ts';
import type { ChecksFold } from './checks-fold.ts';
import { confirmOrigin, createOrigin } from './commands/origins.ts';
import { abandonRun, beginRun, endOverdueRun, finishRun, removeBytes, requestRun } from './commands/runs.ts';
import { createProfile, createSuite } from './commands/suites.ts';

/** The fold of browser checks: one aggregate an installation. */
export function createChecksFold(limits: Limits): AnyFold {
  return defineProductFold<ChecksFold>(checksProduct, {
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
