import { createAuditFold } from '../../processors/audit/fold.ts';
import { importConsumers } from '../../processors/imports/pipeline.ts';
import type { ImportJobs } from '../../processors/imports/threads/import-jobs.ts';
import { createOrganizationsFold } from '../../processors/organizations/fold.ts';
import { outcomeSweeps } from '../../processors/outcome-sweeps.ts';
import { createPeopleFold } from '../../processors/people/fold.ts';
import { identitySweep } from '../../processors/people/identity-sweep.ts';
import { foldSubscription } from '../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../processors/runtime/dependencies.ts';
import { eraser } from '../../processors/runtime/eraser.ts';
import type { AnyFold } from '../../processors/runtime/fold.ts';
import { sweepSubscription } from '../../processors/runtime/sweeper.ts';
import { workSubscription } from '../../processors/runtime/work-handler.ts';
import { createUsageFold } from '../../processors/usage/fold.ts';
import { createWorkspacesFold } from '../../processors/workspaces/fold.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Subscription } from '../../topics/ports/log.ts';
import { PRODUCT_CODE } from './products.ts';

/** The folds of all products: one subscription a command topic; and what tidies up behind them. */
export function foldSubscriptions(dependencies: ProcessorDependencies, limits: Limits): Subscription[] {
  return [
    ...folds(limits).map((fold) => foldSubscription(fold, dependencies)),
    ...PRODUCT_CODE.flatMap(({ processors }) => processors.sweeps(dependencies, limits)),
    sweepSubscription(identitySweep, dependencies),
    ...outcomeSweeps(dependencies, limits),
  ];
}

/** The pure folds of all products. */
export function folds(limits: Limits): AnyFold[] {
  return [
    createWorkspacesFold(limits),
    createPeopleFold(limits),
    createOrganizationsFold(limits),
    ...PRODUCT_CODE.map(({ processors }) => processors.createFold(limits)),
    createAuditFold(limits),
    createUsageFold(limits),
  ];
}

/** The consumers of the import pipeline and of erasures: one subscription for each work topic. */
export function workSubscriptions(
  dependencies: ProcessorDependencies,
  limits: Limits,
  jobs: ImportJobs,
): Subscription[] {
  const works = [...importConsumers(dependencies, jobs), eraser(dependencies, folds(limits))];
  return works.map((work) => workSubscription(work, dependencies));
}
