import { z } from 'zod';
import { epochMsSchema, HOUR_MS } from './time.ts';

/** The hours of which counts are kept, the latest one included. */
export const HOURS_KEPT = 36;

const positive = z.int().positive();

/**
 * Counts by hour (UTC), for the latest {@link HOURS_KEPT} hours. Hours without a count have no entry. Counting changes the latest
 * hour and leaves `earlier` as it is, because a fold counts with every event.
 */
export const hourlyCountsSchema = z.strictObject({
  /** The time of the latest counted event. */
  at: epochMsSchema,
  count: positive,
  /** Hours before that, the latest first: the hour's number since 1970, and its events. */
  earlier: z.array(z.tuple([z.int().nonnegative(), positive])).max(HOURS_KEPT - 1),
});

export type HourlyCounts = z.infer<typeof hourlyCountsSchema>;

/**
 * Counts one event.
 *
 * @param counts absent before the first event
 * @param now Unix milliseconds; never earlier than at the event before
 */
export function countHour(counts: HourlyCounts | undefined, now: number): HourlyCounts {
  if (counts === undefined) return { at: now, count: 1, earlier: [] };
  const [latest, hour] = [hourOf(counts.at), hourOf(now)];
  if (hour <= latest)
    return { at: Math.max(now, counts.at), count: counts.count + 1, earlier: counts.earlier };
  const first = hour - HOURS_KEPT + 1;
  const before: HourlyCounts['earlier'] = [[latest, counts.count], ...counts.earlier];
  return { at: now, count: 1, earlier: before.filter(([each]) => each >= first) };
}

/**
 * The counts of consecutive hours, the latest last.
 *
 * @param hours at most {@link HOURS_KEPT}
 * @param now Unix milliseconds; the last count is of its hour
 */
export function latestHours(counts: HourlyCounts | undefined, hours: number, now: number): number[] {
  const known = new Map(counts?.earlier);
  if (counts !== undefined) known.set(hourOf(counts.at), counts.count);
  const first = hourOf(now) - hours + 1;
  return Array.from({ length: hours }, (_, index) => known.get(first + index) ?? 0);
}

/** Unix milliseconds at which the hour of a time began. */
export function startOfHour(now: number): number {
  return hourOf(now) * HOUR_MS;
}

function hourOf(epochMs: number): number {
  return Math.floor(epochMs / HOUR_MS);
}
