import { describe, expect, it } from 'vitest';
import { axisEnd, monthOf, paceOf } from './month.ts';

describe('monthOf', () => {
  it('is the UTC month', () => {
    const month = monthOf(Date.UTC(2026, 8, 16));
    expect(month).toEqual({
      name: 'September',
      short: 'Sep',
      days: 30,
      end: Date.UTC(2026, 9, 1),
      passed: 0.5,
    });
    expect(monthOf(Date.UTC(2026, 11, 31, 23, 59)).end).toBe(Date.UTC(2027, 0, 1));
  });
});

describe('paceOf', () => {
  it('extends the calls so far to the whole month', () => {
    expect(paceOf(52_100, monthOf(Date.UTC(2026, 8, 16)))).toBe(104_000);
    expect(paceOf(21, monthOf(Date.UTC(2026, 8, 16)))).toBe(42);
  });

  it('says nothing before a day has passed, and without calls', () => {
    expect(paceOf(40, monthOf(Date.UTC(2026, 8, 1, 23, 59)))).toBe(null);
    expect(paceOf(40, monthOf(Date.UTC(2026, 8, 2)))).toBe(1_200);
    expect(paceOf(0, monthOf(Date.UTC(2026, 8, 16)))).toBe(null);
  });
});

describe('axisEnd', () => {
  it.each([
    [0, 2],
    [2, 2],
    [3, 4],
    [11, 20],
    [4_900, 6_000],
    [61_000, 100_000],
  ])('for %i is %i', (most, end) => {
    expect(axisEnd(most)).toBe(end);
  });
});
