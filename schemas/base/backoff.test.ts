import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('backoffMs', () => {
  it('doubles from the first pause to the longest', () => {
    const pauses = [1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, { firstMs: 50, maxMs: 1_000 }));
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000]);
  });

  it('stays within its bounds for any number of retries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (retry) => {
        const pause = backoffMs(retry, { firstMs: 50, maxMs: 5_000 });
        expect(pause).toBeGreaterThanOrEqual(50);
        expect(pause).toBeLessThanOrEqual(5_000);
      }),
    );
  });
});
