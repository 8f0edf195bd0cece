import { describe, expect, it } from 'vitest';
import { WriteTimestamps } from './write-timestamps.ts';

describe('WriteTimestamps', () => {
  it('returns microseconds of the clock', () => {
    expect(new WriteTimestamps({ now: () => 1_700_000_000_000 }, 17).after(0n)).toBe(1_700_000_000_000_017n);
  });

  it('returns growing timestamps while the clock stands still or goes back', () => {
    let now = 1_000;
    const timestamps = new WriteTimestamps({ now: () => now }, 17);
    expect(timestamps.after(0n)).toBe(1_000_017n);
    expect(timestamps.after(0n)).toBe(1_001_017n);
    now = 500;
    expect(timestamps.after(0n)).toBe(1_002_017n);
    now = 2_000;
    expect(timestamps.after(0n)).toBe(2_000_017n);
  });

  it.each([
    [5_000_016n, 5_000_017n],
    [5_000_017n, 5_001_017n],
    [5_000_018n, 5_001_017n],
  ])('returns a timestamp later than one of another process: %i', (seen, stamp) => {
    const timestamps = new WriteTimestamps({ now: () => 1_000 }, 17);
    expect(timestamps.after(seen)).toBe(stamp);
    expect(timestamps.after(0n)).toBe(stamp + 1_000n);
  });

  it('never returns a timestamp of another process', () => {
    const [one, other] = [
      new WriteTimestamps({ now: () => 1_000 }, 17),
      new WriteTimestamps({ now: () => 1_000 }, 18),
    ];
    const seen = new Set<bigint>();
    for (let round = 0n; round < 100n; round += 1n) {
      seen.add(one.after(1_000_000n + round * 7n));
      seen.add(other.after(1_000_000n + round * 11n));
    }
    expect(seen.size).toBe(200);
  });
});
