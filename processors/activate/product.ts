import type { ProcessorProduct } from '../runtime/fold/product.ts';
import { sweepSubscription } from '../runtime/sweeps/sweeper.ts';
import { createActivateFold } from './fold.ts';
import { sessionSweep } from './session-sweep.ts';

/** Onboarding checklists. */
export const activateProcessors: ProcessorProduct = {
  createFold: createActivateFold,
  sweeps: (dependencies, limits) => [sweepSubscription(sessionSweep(limits), dependencies)],
};
