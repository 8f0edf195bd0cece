import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyFilter } from './key-filter.ts';

describe('KeyFilter', () => {
  it('never denies a key that was added', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (keys) => {
        const filter = new KeyFilter();
        for (const [kind, id] of keys) filter.add(kind, id);
        expect(keys.filter(([kind, id]) => !filter.mayHave(kind, id))).toEqual([]);
        const { size } = filter;
        expect(size).toBeLessThanOrEqual(new Set(keys.map((key) => JSON.stringify(key))).size);
        for (const [kind, id] of keys) filter.add(kind, id);
        expect(filter.size).toBe(size);
      }),
    );
  });

  it('knows nothing before the first key', () => {
    expect(new KeyFilter().mayHave('', '')).toBe(false);
  });

  // Ids that resemble each other, as those of one aggregate do; and enough that the filter has grown several times.
  it.each([1_000, 1_025, 100_000])('denies nearly all others, with %i keys', (count) => {
    const filter = new KeyFilter();
    for (let n = 0; n < count; n += 1) filter.add('outcome', `report-event:order-${n}`);
    expect(filter.size).toBeGreaterThan(count * 0.999);
    let taken = 0;
    for (let n = 0; n < 10_000; n += 1)
      if (filter.mayHave('outcome', `report-event:order-${count + n}`)) taken += 1;
    expect(taken / 10_000).toBeLessThan(0.001);
    for (let n = 0; n < count; n += 997)
      expect(filter.mayHave('outcome', `report-event:order-${n}`)).toBe(true);
  });
});
