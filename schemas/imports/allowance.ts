import { utcMonth } from '../base/time.ts';
import { type Limits, planLimits } from '../limits.ts';
import type { Lifecycle } from '../workspaces/lifecycle.ts';
import type { ImportsRoot } from './documents.ts';

/** One hard limit and what is used of it. */
export interface Allowance {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Unix milliseconds at which the use starts again at 0, or null for never. */
  readonly resetsAt: number | null;
}

/** Schemas ever made, against the plan. */
export function schemaAllowance(root: ImportsRoot, plan: Lifecycle['plan'], limits: Limits): Allowance {
  return allowance(planLimits(limits, plan).importSchemas, root.schemasMade, null);
}

/** Imports: of the whole life of a preview; of the UTC month once it is claimed. */
export function importAllowance(
  root: ImportsRoot,
  plan: Lifecycle['plan'],
  limits: Limits,
  now: number,
): Allowance {
  const limit = planLimits(limits, plan).imports;
  if (plan === 'preview') return allowance(limit, root.importsMade, null);
  const made = root.importsInMonth?.month === utcMonth(now) ? root.importsInMonth.made : 0;
  return allowance(limit, made, nextUtcMonth(now));
}

/** Charges one import. The months of a claimed workspace only go forward, because `now` does. */
export function chargeImport(root: ImportsRoot, plan: Lifecycle['plan'], now: number): ImportsRoot {
  const importsMade = root.importsMade + 1;
  if (plan === 'preview') return { ...root, importsMade };
  const month = utcMonth(now);
  const made = root.importsInMonth?.month === month ? root.importsInMonth.made : 0;
  return { ...root, importsMade, importsInMonth: { month, made: made + 1 } };
}

/**
 * The root of a preview that was just claimed: its months begin with what the preview has used, so that the limits
 * change and the counts go on (contract B).
 */
export function beginMonths(root: ImportsRoot, now: number): ImportsRoot {
  return { ...root, importsInMonth: { month: utcMonth(now), made: root.importsMade } };
}

function allowance(limit: number, used: number, resetsAt: number | null): Allowance {
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt };
}

function nextUtcMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
