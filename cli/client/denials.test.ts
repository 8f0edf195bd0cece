import { afterEach, describe, expect, it, vi } from 'vitest';
import { Denials, instant } from './denials.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each([
  // A machine or a function that sleeps: the monotonic clock stands still.
  ['only the wall clock moves on', { wall: 5_000, monotonic: 0 }],
  ['the wall clock is set forwards', { wall: 5_000, monotonic: 1 }],
  ['only the monotonic clock moves on', { wall: 0, monotonic: 5_000 }],
  ['the wall clock is set backwards', { wall: -60_000, monotonic: 5_000 }],
])('if %s', (_clocks, { wall, monotonic }) => {
  it.each([
    ['the window ends', { lastsMs: 5_000, keptMs: 10_000 }],
    ['the time of a denial ends', { lastsMs: 10_000, keptMs: 5_000 }],
  ])('denials are forgotten when %s, and not before', (_end, { lastsMs, keptMs }) => {
    const clocks = movableClocks();
    const denials = new Denials(1, keptMs);
    denials.add('one', { used: 1, resetAt: 0 }, instant(), lastsMs);
    clocks.set({ wall: Math.min(wall, 4_999), monotonic: Math.min(monotonic, 4_999) });
    expect(denials.find('one', 1, 1)).toMatchObject({ leftMs: lastsMs - 4_999 });
    clocks.set({ wall, monotonic });
    expect(denials.find('one', 1, 1)).toBeNull();
  });
});

/** Two clocks that stand still until they are set, to milliseconds after their start. */
function movableClocks() {
  let passed = { wall: 0, monotonic: 0 };
  vi.spyOn(Date, 'now').mockImplementation(() => 1_000_000 + passed.wall);
  vi.spyOn(performance, 'now').mockImplementation(() => 1_000 + passed.monotonic);
  return {
    set: (to: typeof passed) => {
      passed = to;
    },
  };
}

it('forget a denial when its window ends', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const denials = new Denials(1, 10_000);
  denials.add('one', { used: 1, resetAt: 0 }, instant(), 5_000);
  vi.advanceTimersByTime(4_999);
  expect(denials.find('one', 1, 1)?.leftMs).toBe(1);
  vi.advanceTimersByTime(1);
  expect(denials.find('one', 1, 1)).toBeNull();
});
