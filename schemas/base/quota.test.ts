import { describe, expect, it } from 'vitest';
import { chargeMonth, type MonthUse, monthlyQuota, refundMonth } from './quota.ts';

const LAST = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
const FIRST = Date.UTC(2026, 11, 1);
const END_OF_DECEMBER = Date.UTC(2027, 0, 1);
const LIMIT = 5;

/** The use after one more at each of these times. */
const chargedAt = (...times: readonly number[]) =>
  times.reduce<MonthUse>((use, now) => chargeMonth(use, now), null);

describe('monthlyQuota', () => {
  it('counts what was used in the month', () => {
    const use = chargedAt(LAST, LAST);
    const expected = { limit: LIMIT, used: 2, remaining: 3, resetsAt: FIRST };
    expect(monthlyQuota(LIMIT, use, LAST)).toEqual(expected);
  });

  it('starts again at 0 with the next month', () => {
    const expected = { limit: LIMIT, used: 0, remaining: LIMIT, resetsAt: END_OF_DECEMBER };
    expect(monthlyQuota(LIMIT, chargedAt(LAST), FIRST)).toEqual(expected);
    expect(monthlyQuota(LIMIT, null, FIRST)).toEqual(expected);
  });

  it('stays in the later month if the clock was set back over its beginning', () => {
    const use = chargedAt(LAST, FIRST, LAST);
    const expected = { limit: LIMIT, used: 2, remaining: 3, resetsAt: END_OF_DECEMBER };
    expect(use).toEqual({ month: '2026-12', made: 2 });
    expect(monthlyQuota(LIMIT, use, LAST)).toEqual(expected);
    expect(monthlyQuota(LIMIT, use, FIRST)).toEqual(expected);
  });
});

describe('refundMonth', () => {
  it('gives a unit back to the month that was charged, and never more than were used', () => {
    expect(refundMonth(chargedAt(LAST, LAST), LAST)).toEqual(chargedAt(LAST));
    expect(refundMonth({ month: '2026-11', made: 0 }, LAST)).toEqual({ month: '2026-11', made: 0 });
    expect(refundMonth(chargedAt(LAST, FIRST), LAST)).toEqual(chargedAt(FIRST));
    expect(refundMonth(null, LAST)).toBe(null);
  });
});
