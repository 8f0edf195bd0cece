import { describe, expect, it } from 'vitest';
import { Stamps } from './stamps.ts';

describe('Stamps', () => {
  it('are microseconds of the clock', () => {
    expect(new Stamps({ now: () => 1_700_000_000_000 }).after(0n)).toBe(1_700_000_000_000_000n);
  });

  it('grow while the clock stands still or goes back', () => {
    let now = 1_000;
    const stamps = new Stamps({ now: () => now });
    const first = stamps.after(0n);
    expect(stamps.after(0n)).toBe(first + 1n);
    now = 500;
    expect(stamps.after(0n)).toBe(first + 2n);
    now = 2_000;
    expect(stamps.after(0n)).toBe(2_000_000n);
  });

  it('are later than what was seen of others', () => {
    const stamps = new Stamps({ now: () => 1_000 });
    expect(stamps.after(5_000_000n)).toBe(5_000_001n);
    expect(stamps.after(0n)).toBe(5_000_002n);
  });
});
