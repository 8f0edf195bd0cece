import { countHour } from '../base/hourly-counts.ts';
import { lifetimeQuota, type Quota } from '../base/quota.ts';
import type { Limits } from '../limits.ts';
import type { Lifecycle } from '../workspaces/lifecycle.ts';
import { chargePlanMonth, planQuota } from '../workspaces/plan-quota.ts';
import type { ImportsRoot } from './documents.ts';

/** Schemas ever made, against the plan. */
export function schemaQuota(root: ImportsRoot, plan: Lifecycle['plan'], limits: Limits): Quota {
  return lifetimeQuota(limits.plans[plan].importSchemas, root.schemasMade);
}

/** Imports: of the whole life of a preview; of the UTC month once it is claimed. */
export function importQuota(root: ImportsRoot, plan: Lifecycle['plan'], limits: Limits, now: number): Quota {
  const used = { ever: root.importsMade, inMonth: root.importsInMonth };
  return planQuota(plan, limits.plans[plan].imports, used, now);
}

/** Charges one import, and counts it in its hour. */
export function chargeImport(root: ImportsRoot, plan: Lifecycle['plan'], now: number): ImportsRoot {
  return {
    ...root,
    importsMade: root.importsMade + 1,
    importsInMonth: chargePlanMonth(plan, root.importsInMonth, now),
    activity: countHour(root.activity, now),
  };
}
