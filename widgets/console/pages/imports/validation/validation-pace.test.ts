import { describe, expect, it } from 'vitest';
import { paceOf } from './validation-pace.ts';

const sample = (atMs: number, rows: number, parts: number) => ({ atMs, rows, parts });

describe('paceOf', () => {
  it('tells nothing in the first seconds, and without progress', () => {
    expect(paceOf(sample(0, 0, 0), sample(2_999, 500, 5), 100)).toBeNull();
    expect(paceOf(sample(0, 100, 1), sample(9_000, 100, 1), 100)).toBeNull();
  });

  it('tells rows per second and the time that the remaining parts take', () => {
    expect(paceOf(sample(1_000, 100, 1), sample(5_000, 900, 9), 29)).toEqual({
      rowsPerSecond: 200,
      secondsLeft: 10,
    });
  });
});
