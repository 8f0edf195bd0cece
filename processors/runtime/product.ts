import type { Limits } from '../../schemas/limits.ts';
import type { Subscription } from '../../topics/ports/log.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import type { AnyFold } from './fold.ts';

/** The processors of a product; `processors/<topic>/product.ts` exports them as `processorProduct`. */
export interface ProcessorProduct {
  createFold(limits: Limits): AnyFold;
  /** The readers that tidy up behind the topic of the product. */
  sweeps(dependencies: ProcessorDependencies, limits: Limits): readonly Subscription[];
}
