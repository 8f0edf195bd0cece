import { afterEach, expect, it, vi } from 'vitest';
import { Denials, instant } from './denials.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('forget a denial when its window ends', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const denials = new Denials(1, 10_000);
  denials.add('one', { used: 1, resetAt: 0 }, instant(), 5_000);
  vi.advanceTimersByTime(4_999);
  expect(denials.find('one', 1, 1)?.leftMs).toBe(1);
  vi.advanceTimersByTime(1);
  expect(denials.find('one', 1, 1)).toBeNull();
});
