import type { ProcessorProduct } from '../runtime/product.ts';
import { createImportsFold } from './fold.ts';
import { sweepSubscriptions } from './sweeping/sweeps.ts';

/** CSV import. */
export const processorProduct: ProcessorProduct = {
  createFold: createImportsFold,
  sweeps: sweepSubscriptions,
};
