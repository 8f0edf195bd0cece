import { z } from 'zod';
import { endOfUtcMonth, isoTimeOrNull, isoTimeSchema, utcMonth } from './time.ts';

const count = z.int().nonnegative();

/** A hard limit, its use, and the rest. */
export interface Quota {
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

/** Returns the quota of a limit that counts for the whole life of a workspace: nothing reduces its use. */
export function lifetimeQuota(limit: number, used: number): Quota {
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt: null };
}

/**
 * Returns the quota of a limit for each UTC calendar month. Months only go forward: after a clock was set back, the latest
 * month continues.
 *
 * @param now Unix milliseconds
 */
export function monthlyQuota(limit: number, use: MonthUse, now: number): Quota {
  const { month, made } = currentUse(use, now);
  return { ...lifetimeQuota(limit, made), resetsAt: endOfUtcMonth(month) };
}

/** Returns the use after one more unit, in the same month as {@link monthlyQuota}. */
export function chargeMonth(use: MonthUse, now: number): NonNullable<MonthUse> {
  const { month, made } = currentUse(use, now);
  return { month, made: made + 1 };
}

/**
 * Returns the use without a unit that was charged at a time. Unchanged if another month has begun since.
 *
 * @param chargedAt Unix milliseconds
 */
export function refundMonth(use: MonthUse, chargedAt: number): MonthUse {
  if (use === null || use.month !== utcMonth(chargedAt)) return use;
  return { month: use.month, made: Math.max(0, use.made - 1) };
}

/** A quota in the form of responses. */
export const quotaSchema = z
  .strictObject({
    limit: count,
    used: count,
    remaining: count,
    resetsAt: isoTimeSchema
      .nullable()
      .describe('The time at which the use starts again at 0; null for a limit that never resets.'),
  })
  .meta({
    id: 'Quota',
    description: 'A limit of the plan, how much of it is used, and the rest.',
    example: { limit: 3, used: 1, remaining: 2, resetsAt: null },
  });

/** Converts a quota to the form of responses. */
export function quotaAnswer(quota: Quota): z.infer<typeof quotaSchema> {
  return { ...quota, resetsAt: isoTimeOrNull(quota.resetsAt) };
}

function currentUse(use: MonthUse, now: number): NonNullable<MonthUse> {
  const month = utcMonth(now);
  return use === null || use.month < month ? { month, made: 0 } : use;
}
