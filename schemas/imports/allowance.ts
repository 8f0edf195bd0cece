import { type Allowance, chargeMonth, lifetimeAllowance, monthlyAllowance } from '../base/allowance.ts';
import { utcMonth } from '../base/time.ts';
import { type Limits, planLimits } from '../limits.ts';
import type { Lifecycle } from '../workspaces/lifecycle.ts';
import type { ImportsRoot } from './documents.ts';

/** Schemas ever made, against the plan. */
export function schemaAllowance(root: ImportsRoot, plan: Lifecycle['plan'], limits: Limits): Allowance {
  return lifetimeAllowance(planLimits(limits, plan).importSchemas, root.schemasMade);
}

/** Imports: of the whole life of a preview; of the UTC month once it is claimed. */
export function importAllowance(
  root: ImportsRoot,
  plan: Lifecycle['plan'],
  limits: Limits,
  now: number,
): Allowance {
  const limit = planLimits(limits, plan).imports;
  if (plan === 'preview') return lifetimeAllowance(limit, root.importsMade);
  return monthlyAllowance(limit, root.importsInMonth, now);
}

/** Charges one import. */
export function chargeImport(root: ImportsRoot, plan: Lifecycle['plan'], now: number): ImportsRoot {
  const importsMade = root.importsMade + 1;
  if (plan === 'preview') return { ...root, importsMade };
  return { ...root, importsMade, importsInMonth: chargeMonth(root.importsInMonth, now) };
}

/**
 * The root of a preview that was just claimed: its months begin with what the preview has used, so that the limits
 * change and the counts stay.
 */
export function beginMonths(root: ImportsRoot, now: number): ImportsRoot {
  return { ...root, importsInMonth: { month: utcMonth(now), made: root.importsMade } };
}
