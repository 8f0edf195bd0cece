import { describe, expect, it } from 'vitest';
import { meterOf } from './meters.ts';

const quota = (used: number, limit: number, resetsAt: string | null = null) => ({
  used,
  limit,
  remaining: Math.max(0, limit - used),
  resetsAt,
});
const timeText = () => '1 Oct';

describe('meterOf', () => {
  it('is quiet below four fifths', () => {
    expect(meterOf(quota(1_599, 2_000), timeText)).toMatchObject({ tone: null, hint: null });
  });

  it('warns from four fifths on, and says what happens at the end', () => {
    expect(meterOf(quota(1_600, 2_000, '2026-10-01T00:00:00.000Z'), timeText)).toEqual({
      percent: 80,
      tone: 'warn',
      hint: '400 left, then requests get 429 until 1 Oct',
    });
  });

  it('says that nothing is left, also of a limit of 0', () => {
    expect(meterOf(quota(5, 5), timeText).hint).toBe('None left: requests get 429 for good');
    expect(meterOf(quota(0, 0), timeText)).toMatchObject({ percent: 100, tone: 'bad' });
  });
});
