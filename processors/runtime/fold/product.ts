import type { Limits } from '../../../schemas/limits.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import type { AnyWork } from '../work/work-handler.ts';
import type { AnyFold } from './fold.ts';

/** The consumers of the work topics of a product. */
export interface StartedWork {
  readonly works: readonly AnyWork[];
  /** Ends long work under way early; called before the consumers wait for it. */
  stop?(): void;
  /** Ends what the consumers share; resolves once nothing of it runs. */
  close(): Promise<void>;
}

/** The processors of a product; `infra/service/products.ts` lists them. */
export interface ProcessorProduct {
  createFold(limits: Limits): AnyFold;
  /** The readers that tidy up behind the topic of the product. */
  sweeps(dependencies: ProcessorDependencies, limits: Limits): readonly Subscription[];
  /**
   * Starts its consumers of work items; absent: it has none.
   *
   * @param threads the most threads of this process for heavy work
   */
  startWork?(dependencies: ProcessorDependencies, options: { readonly threads: number }): StartedWork;
}
