import type { ProcessorProduct } from '../runtime/fold/product.ts';
import { createChecksFold } from './fold.ts';

/** The browser check. Its work is that of the role `runner` (`runner/start-runner.ts`). */
export const checksProcessors: ProcessorProduct = {
  createFold: createChecksFold,
  sweeps: () => [],
};
