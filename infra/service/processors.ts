import { createAuditFold } from '../../processors/audit/fold.ts';
import { createMailFold } from '../../processors/mail/fold.ts';
import { mailRetrySweeps } from '../../processors/mail/retry-sweeps.ts';
import { createLettersFold } from '../../processors/operations/fold.ts';
import { letterSweep } from '../../processors/operations/letter-sweep.ts';
import { createOrganizationsFold } from '../../processors/organizations/fold.ts';
import { invitationSweep } from '../../processors/organizations/invitation-sweep.ts';
import { outcomeSweeps } from '../../processors/outcome-sweeps.ts';
import { createPeopleFold } from '../../processors/people/fold.ts';
import { identitySweep } from '../../processors/people/identity-sweep.ts';
import { foldSubscription } from '../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../processors/runtime/dependencies.ts';
import type { AnyFold } from '../../processors/runtime/fold/fold.ts';
import { erasedLetterSweep } from '../../processors/runtime/sweeps/erased-letter-sweep.ts';
import { eraser } from '../../processors/runtime/sweeps/eraser.ts';
import { sweepSubscription } from '../../processors/runtime/sweeps/sweeper.ts';
import { type AnyWork, workSubscription } from '../../processors/runtime/work/work-handler.ts';
import type { WorkLane } from '../../processors/runtime/work/work-lane.ts';
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
    sweepSubscription(invitationSweep(limits), dependencies),
    ...mailRetrySweeps.map((sweep) => sweepSubscription(sweep, dependencies)),
    sweepSubscription(letterSweep, dependencies),
    sweepSubscription(erasedLetterSweep, dependencies),
    ...outcomeSweeps(dependencies, limits),
  ];
}

/** The pure folds of all products. */
export function folds(limits: Limits): AnyFold[] {
  return [
    createWorkspacesFold(limits),
    createPeopleFold(limits),
    createOrganizationsFold(limits),
    createMailFold(limits),
    ...PRODUCT_CODE.map(({ processors }) => processors.createFold(limits)),
    createAuditFold(limits),
    createUsageFold(limits),
    createLettersFold(limits),
  ];
}

/** One subscription for each work topic: those of the products, and of erasures. */
export function workSubscriptions(
  dependencies: ProcessorDependencies,
  limits: Limits,
  works: readonly AnyWork[],
  lane: WorkLane,
): Subscription[] {
  return [...works, eraser(dependencies, folds(limits))].map((work) =>
    workSubscription(work, dependencies, lane),
  );
}
