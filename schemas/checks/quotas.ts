import { countHour } from '../base/hourly-counts.ts';
import { lifetimeQuota, type Quota, refundMonth } from '../base/quota.ts';
import type { Limits } from '../limits.ts';
import type { Plan } from '../workspaces/lifecycle.ts';
import { chargePlanMonth, planQuota } from '../workspaces/plan-quota.ts';
import type { ChecksRoot, RunDocument } from './documents.ts';

/** Origins ever made, against the plan. */
export function originQuota(root: ChecksRoot, plan: Plan, limits: Limits): Quota {
  return lifetimeQuota(limits.plans[plan].checkOrigins, root.originsMade);
}

/**
 * Returns the origin that another one may replace: the latest of a preview without a free one, as long as no run was verified
 * and none is active. Null if a further origin has to be free.
 */
export function replaceableOrigin(
  root: ChecksRoot,
  plan: Plan,
  limits: Limits,
  now: number,
): ChecksRoot['origins'][number] | null {
  if (plan !== 'preview' || originQuota(root, plan, limits).remaining > 0) return null;
  if (root.lastVerified !== null || root.activeRuns.some(({ deadlineAt }) => now < deadlineAt)) return null;
  return root.origins.at(-1) ?? null;
}

/** Suites ever made, against the plan. */
export function suiteQuota(root: ChecksRoot, plan: Plan, limits: Limits): Quota {
  return lifetimeQuota(limits.plans[plan].checkSuites, root.suitesMade);
}

/** Runs: of the whole life of a preview; of the UTC month once it is claimed. */
export function runQuota(root: ChecksRoot, plan: Plan, limits: Limits, now: number): Quota {
  const used = { ever: root.runsMade, inMonth: root.runsInMonth };
  return planQuota(plan, limits.plans[plan].checkRuns, used, now);
}

/** Charges one run, and counts it in its hour. */
export function chargeRun(root: ChecksRoot, plan: Plan, now: number): ChecksRoot {
  return {
    ...root,
    runsMade: root.runsMade + 1,
    runsInMonth: chargePlanMonth(plan, root.runsInMonth, now),
    activity: countHour(root.activity, now),
  };
}

/** Gives the charge of a run back. A month that has passed keeps it. */
export function refundRun(root: ChecksRoot, { requestedAt }: Pick<RunDocument, 'requestedAt'>): ChecksRoot {
  return {
    ...root,
    runsMade: Math.max(0, root.runsMade - 1),
    runsInMonth: refundMonth(root.runsInMonth, requestedAt),
  };
}
