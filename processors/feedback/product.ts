import type { ProcessorProduct } from '../runtime/fold/product.ts';
import { createFeedbackFold } from './fold.ts';
import { sweepSubscriptions } from './sweeps.ts';

/** The feedback widget. */
export const feedbackProcessors: ProcessorProduct = {
  createFold: createFeedbackFold,
  sweeps: sweepSubscriptions,
};
