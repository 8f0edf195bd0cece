import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timeLeft } from './time-left.ts';

const card = { text: (name: string, ...values: readonly (string | number)[]) => [name, ...values].join(' ') };

describe('timeLeft', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('says nothing at first, then the seconds that the pace so far leaves', () => {
    const left = timeLeft(card);
    expect(left(2, 10)).toBe('');
    vi.advanceTimersByTime(2_900);
    expect(left(3, 10)).toBe('');
    vi.advanceTimersByTime(1_100);
    expect(left(4, 10)).toBe('left 12');
    vi.advanceTimersByTime(1_000);
    expect(left(7, 10)).toBe('left 3');
  });

  it('says nothing without a pace, and at the end', () => {
    const left = timeLeft(card);
    left(0, 10);
    vi.advanceTimersByTime(4_000);
    expect([left(0, 10), left(10, 10)]).toEqual(['', '']);
  });
});
