import { type Allowance, chargeMonth, lifetimeAllowance, monthlyAllowance } from '../base/allowance.ts';
import { utcMonth } from '../base/time.ts';
import { type Limits, planLimits } from '../limits.ts';
import type { Plan } from '../workspaces/lifecycle.ts';
import type { ActivateRoot } from './documents.ts';

/** Checklists ever made, against the plan. */
export function checklistAllowance(root: ActivateRoot, plan: Plan, limits: Limits): Allowance {
  return lifetimeAllowance(planLimits(limits, plan).checklists, root.checklistsMade);
}

/** Enrollments ever, of all checklists and cohorts, against the plan. */
export function enrollmentAllowance(root: ActivateRoot, plan: Plan, limits: Limits): Allowance {
  return lifetimeAllowance(planLimits(limits, plan).checklistEnrollments, root.enrollmentsMade);
}

/** Accepted events: of the whole life of a preview; of the UTC month once it is claimed. */
export function eventAllowance(root: ActivateRoot, plan: Plan, limits: Limits, now: number): Allowance {
  const limit = planLimits(limits, plan).checklistEvents;
  if (plan === 'preview') return lifetimeAllowance(limit, root.eventsAccepted);
  return monthlyAllowance(limit, root.eventsInMonth, now);
}

/** Charges one accepted event. */
export function chargeEvent(root: ActivateRoot, plan: Plan, now: number): ActivateRoot {
  const eventsAccepted = root.eventsAccepted + 1;
  if (plan === 'preview') return { ...root, eventsAccepted };
  return { ...root, eventsAccepted, eventsInMonth: chargeMonth(root.eventsInMonth, now) };
}

/** The root of a preview that was just claimed: its months begin with what the preview has used. */
export function beginMonths(root: ActivateRoot, now: number): ActivateRoot {
  return { ...root, eventsInMonth: { month: utcMonth(now), made: root.eventsAccepted } };
}
