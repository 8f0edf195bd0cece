import { z } from 'zod';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A point in time inside the system: Unix milliseconds, a whole number. */
export const epochMsSchema = z.int().nonnegative();

/** A point in time on the wire: ISO 8601 in UTC with milliseconds. */
export const isoTimeSchema = z.iso.datetime().meta({
  id: 'Timestamp',
  description: 'A time in UTC: ISO 8601 with `Z`, and milliseconds in answers.',
  example: '2026-09-07T10:00:00.000Z',
});

/** The same as Unix milliseconds. A time before 1970 becomes the beginning of 1970: nothing here is older. */
export const pointInTimeSchema = isoTimeSchema.transform((text) => Math.max(0, Date.parse(text)));

/** Unix milliseconds as ISO 8601 in UTC. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same for a time that may be missing. */
export function isoTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

/** The UTC calendar month of a time, as `YYYY-MM`. Texts compare as the months do. */
export function utcMonth(epochMs: number): string {
  return isoTime(epochMs).slice(0, 7);
}

/** Unix milliseconds at which the UTC calendar month began that ends at `end`. */
export function startOfUtcMonthBefore(end: number): number {
  const date = new Date(end);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
}

/** Unix milliseconds at which a UTC calendar month (`YYYY-MM`) ends. */
export function endOfUtcMonth(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 1);
}
