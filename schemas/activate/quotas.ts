import { countHour } from '../base/hourly-counts.ts';
import { lifetimeQuota, type Quota } from '../base/quota.ts';
import type { Limits } from '../limits.ts';
import type { Plan } from '../workspaces/lifecycle.ts';
import { chargePlanMonth, planQuota } from '../workspaces/plan-quota.ts';
import type { ActivateRoot } from './documents.ts';

/** Checklists ever made, against the plan. */
export function checklistQuota(root: ActivateRoot, plan: Plan, limits: Limits): Quota {
  return lifetimeQuota(limits.plans[plan].checklists, root.checklistsMade);
}

/** Enrollments ever, of all checklists and cohorts, against the plan. */
export function enrollmentQuota(root: ActivateRoot, plan: Plan, limits: Limits): Quota {
  return lifetimeQuota(limits.plans[plan].checklistEnrollments, root.enrollmentsMade);
}

/** Accepted events: of the whole life of a preview; of the UTC month once it is claimed. */
export function eventQuota(root: ActivateRoot, plan: Plan, limits: Limits, now: number): Quota {
  const used = { ever: root.eventsAccepted, inMonth: root.eventsInMonth };
  return planQuota(plan, limits.plans[plan].checklistEvents, used, now);
}

/** Charges one accepted event, and counts it in its hour. */
export function chargeEvent(root: ActivateRoot, plan: Plan, now: number): ActivateRoot {
  return {
    ...root,
    eventsAccepted: root.eventsAccepted + 1,
    eventsInMonth: chargePlanMonth(plan, root.eventsInMonth, now),
    activity: countHour(root.activity, now),
  };
}
