import { z } from 'zod';
import { endOfUtcMonth, isoTimeOrNull, isoTimeSchema, utcMonth } from './time.ts';

const count = z.int().nonnegative();

/** One hard limit and what is used of it. */
export interface Allowance {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Unix milliseconds at which the use starts again at 0, or null for never. */
  readonly resetsAt: number | null;
}

/** The amount used in the latest UTC month; null before the first counted use. */
export const monthUseSchema = z
  .strictObject({ month: z.string().regex(/^\d{4}-\d{2}$/), made: count })
  .nullable();

export type MonthUse = z.infer<typeof monthUseSchema>;

/** A limit that counts for good: nothing gives back what was used of it. */
export function lifetimeAllowance(limit: number, used: number): Allowance {
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt: null };
}

/**
 * A limit of each UTC calendar month. Months only go forward: after a clock was set back, the latest month continues.
 *
 * @param now Unix milliseconds
 */
export function monthlyAllowance(limit: number, use: MonthUse, now: number): Allowance {
  const { month, made } = currentUse(use, now);
  return { ...lifetimeAllowance(limit, made), resetsAt: endOfUtcMonth(month) };
}

/** The use after one more, in the same month as {@link monthlyAllowance}. */
export function chargeMonth(use: MonthUse, now: number): NonNullable<MonthUse> {
  const { month, made } = currentUse(use, now);
  return { month, made: made + 1 };
}

/** An allowance as answers show it. */
export const allowanceSchema = z.strictObject({
  limit: count,
  used: count,
  remaining: count,
  resetsAt: isoTimeSchema.nullable(),
});

/** An allowance as answers show it, of one as folds count it. */
export function allowanceAnswer(allowance: Allowance): z.infer<typeof allowanceSchema> {
  return { ...allowance, resetsAt: isoTimeOrNull(allowance.resetsAt) };
}

function currentUse(use: MonthUse, now: number): NonNullable<MonthUse> {
  const month = utcMonth(now);
  return use === null || use.month < month ? { month, made: 0 } : use;
}
