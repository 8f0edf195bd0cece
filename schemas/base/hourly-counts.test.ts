import { describe, expect, it } from 'vitest';
import { countHour, HOURS_KEPT, hourlyCountsSchema, latestHours, startOfHour } from './hourly-counts.ts';
import { HOUR_MS, MINUTE_MS } from './time.ts';

const NOON = Date.UTC(2026, 8, 15, 12);

/** The counts after events at these times. */
function countsAt(...times: readonly number[]) {
  return times.reduce(
    (counts, now) => countHour(counts, now),
    undefined as ReturnType<typeof countHour> | undefined,
  );
}

describe('countHour', () => {
  it('adds events of one hour, and starts the next hour at 1', () => {
    const counts = countsAt(NOON, NOON + 59 * MINUTE_MS, NOON + HOUR_MS);
    expect(latestHours(counts, 3, NOON + HOUR_MS)).toEqual([0, 2, 1]);
    expect(counts?.at).toBe(NOON + HOUR_MS);
  });

  it('keeps as many hours as it says, and their schema accepts them', () => {
    const times = Array.from({ length: 3 * HOURS_KEPT }, (_, hour) => NOON + hour * HOUR_MS);
    const counts = countsAt(...times);
    expect(counts?.earlier).toHaveLength(HOURS_KEPT - 1);
    expect(hourlyCountsSchema.parse(counts)).toEqual(counts);
    expect(latestHours(counts, HOURS_KEPT, times.at(-1) ?? 0)).toEqual(Array(HOURS_KEPT).fill(1));
  });

  it('drops hours that a pause has made old', () => {
    const later = NOON + HOURS_KEPT * HOUR_MS;
    expect(countsAt(NOON, later)).toEqual({ at: later, count: 1, earlier: [] });
  });

  it('shares the earlier hours while it counts in one hour', () => {
    const before = countsAt(NOON - HOUR_MS, NOON);
    expect(countHour(before, NOON + 1).earlier).toBe(before?.earlier);
  });
});

describe('latestHours', () => {
  it('is zeros without counts and after all of them have aged', () => {
    expect(latestHours(undefined, 24, NOON)).toEqual(Array(24).fill(0));
    expect(latestHours(countsAt(NOON), 24, NOON + 24 * HOUR_MS)).toEqual(Array(24).fill(0));
  });

  it('ends with the hour of `now`', () => {
    expect(latestHours(countsAt(NOON), 2, NOON + HOUR_MS + MINUTE_MS)).toEqual([1, 0]);
    expect(startOfHour(NOON + 59 * MINUTE_MS)).toBe(NOON);
  });
});
