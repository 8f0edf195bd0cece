import { z } from 'zod';
import { idSchema } from '../base/ids.ts';
import { DAY_MS, epochMsSchema, utcMonth } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';
import { callCountsSchema, meteredCalls } from './counts.ts';
import { startOfDay, startOfMonth, utcDay, utcHour } from './periods.ts';

/** Days for which the minutes of a day are stored, from the end of the day. Topics keep their records as long. */
export const MINUTES_KEPT_DAYS = 14;

/** Months for which the hours of a month are stored, from the end of the month. Days are stored without an end. */
export const HOURS_KEPT_MONTHS = 13;

/**
 * Root document of the table `usage`, for the calls of one API key or for the sums over the live keys of an organization.
 * The aggregate's id is that of the key or of the organization.
 */
export const usageRootSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('key'),
    organizationId: idSchema('organization'),
    mode: keyModeSchema,
    /** The beginning of the latest minute with a call, whatever its answer. */
    lastUsedAt: epochMsSchema,
    /** Days that have rows `hour`, in order. They are few, because settled days lose these rows. */
    daysWithMinutes: z.array(z.string()),
    /** Months that have rows `day`, in order. */
    monthsWithHours: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('organization') }),
]);

export type UsageRoot = z.infer<typeof usageRootSchema>;

export type KeyUsageRoot = Extract<UsageRoot, { kind: 'key' }>;

/** The counts of one incarnation of the limiter's counter in a minute. They only grow. Those of two incarnations add up. */
const minuteCountSchema = callCountsSchema.extend({
  minute: z.int().min(0).max(59),
  incarnation: z.string().min(1).max(64),
});

/** Row kind `hour`, id: `YYYY-MM-DDTHH`. Its counts let the fold count no call twice. */
const hourDocumentSchema = z.strictObject({ minutes: z.array(minuteCountSchema) });

export type HourDocument = z.infer<typeof hourDocumentSchema>;

/** Row kind `day`, id: `YYYY-MM-DD`. The sums of its hours. */
export const dayDocumentSchema = z.strictObject({
  hours: z.array(callCountsSchema.extend({ hour: z.int().min(0).max(23) })),
});

export type DayDocument = z.infer<typeof dayDocumentSchema>;

/** Row kind `month`, id: `YYYY-MM`. The sums of its days. */
export const monthDocumentSchema = z.strictObject({
  days: z.array(callCountsSchema.extend({ day: z.int().min(1).max(31) })),
});

export type MonthDocument = z.infer<typeof monthDocumentSchema>;

/** Row kind `metered-key` of an organization, id: {@link meteredKeyId}. Calls of one live key in one month. */
const meteredKeyDocumentSchema = z.strictObject({ used: z.int().nonnegative() });

export type MeteredKeyDocument = z.infer<typeof meteredKeyDocumentSchema>;

/** Row kind `metered` of an organization, id: `YYYY-MM`. The sum over its live keys. */
export const meteredDocumentSchema = z.strictObject({ used: z.int().nonnegative() });

export type MeteredDocument = z.infer<typeof meteredDocumentSchema>;

export const usageRowSchemas = {
  hour: hourDocumentSchema,
  day: dayDocumentSchema,
  month: monthDocumentSchema,
  'metered-key': meteredKeyDocumentSchema,
  metered: meteredDocumentSchema,
} as const;

export type UsageRows = {
  hour: HourDocument;
  day: DayDocument;
  month: MonthDocument;
  'metered-key': MeteredKeyDocument;
  metered: MeteredDocument;
};

/** The id of a row `metered-key`. */
export function meteredKeyId(month: string, keyId: string): string {
  return `${month}:${keyId}`;
}

/** The number of calls of a month that reached a counter. */
export function usedOf({ days }: MonthDocument): number {
  return days.reduce((sum, day) => sum + meteredCalls(day), 0);
}

/** True if a day is settled at `now` (Unix milliseconds): its minutes accept no further counts. */
export function isDaySettled(day: string, now: number): boolean {
  return now >= startOfDay(day) + (1 + MINUTES_KEPT_DAYS) * DAY_MS;
}

/** True if a month is settled at `now` (Unix milliseconds): its hours are stored no longer. */
export function isMonthSettled(month: string, now: number): boolean {
  return now >= startOfMonth(month, 1 + HOURS_KEPT_MONTHS);
}

/** The ids of the rows that count a minute. `minute`: its beginning in Unix milliseconds. */
export function periodsOf(minute: number) {
  return { month: utcMonth(minute), day: utcDay(minute), hour: utcHour(minute) };
}
