import { chargeMonth, lifetimeQuota, type MonthUse, monthlyQuota, type Quota } from '../base/quota.ts';
import type { Plan } from './lifecycle.ts';

/** The use of a limit by a workspace, ever and in the month: which of them counts depends on the plan. */
export interface PlanUse {
  readonly ever: number;
  /** Counted from the claim on. */
  readonly inMonth: MonthUse;
}

/**
 * Returns the quota of a limit that counts the whole life of a preview, and each UTC calendar month once it is claimed.
 *
 * @param now Unix milliseconds
 */
export function planQuota(plan: Plan, limit: number, { ever, inMonth }: PlanUse, now: number): Quota {
  return plan === 'preview' ? lifetimeQuota(limit, ever) : monthlyQuota(limit, inMonth, now);
}

/** Returns the use of the month after one more unit, in the same plans as {@link planQuota}: a preview counts no months. */
export function chargePlanMonth(plan: Plan, use: MonthUse, now: number): MonthUse {
  return plan === 'preview' ? use : chargeMonth(use, now);
}
