import type { ProcessorProduct } from '../runtime/fold/product.ts';
import { createImportsFold } from './fold.ts';
import { importConsumers } from './pipeline.ts';
import { sweepSubscriptions } from './sweeping/sweeps.ts';
import { startThreadPool } from './threads/thread-pool.ts';

/** CSV import. */
export const importsProcessors: ProcessorProduct = {
  createFold: createImportsFold,
  sweeps: sweepSubscriptions,
  startWork(engines, { threads }) {
    const jobs = startThreadPool({ threads });
    return { works: importConsumers(engines, jobs), close: () => jobs.close() };
  },
};
