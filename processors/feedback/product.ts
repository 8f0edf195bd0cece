import type { ProcessorProduct } from '../runtime/product.ts';
import { createFeedbackFold } from './fold.ts';
import { sweepSubscriptions } from './sweeps.ts';

/** The feedback widget. */
export const processorProduct: ProcessorProduct = {
  createFold: createFeedbackFold,
  sweeps: sweepSubscriptions,
};
