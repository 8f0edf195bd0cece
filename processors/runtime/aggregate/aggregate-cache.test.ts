import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AggregateCache } from './aggregate-cache.ts';
import type { EvictionScope } from './working-set.ts';

/** An aggregate whose evicted rows are named ones; some are of kinds with few rows. */
class Aggregate {
  rows: number;
  evictedKeys: number;
  readonly #few: number;
  constructor(rows: number, evictedKeys = 0, few = 0) {
    this.rows = rows;
    this.evictedKeys = evictedKeys;
    this.#few = few;
  }

  evict(scope: EvictionScope): void {
    const left = scope === 'many' ? Math.min(this.#few, this.rows) : 0;
    this.evictedKeys += this.rows - left;
    this.rows = left;
  }
}

function idsOf(held: AggregateCache<Aggregate>): string[] {
  return [...held.entries()].map(([id]) => id);
}

function rowsOf(held: AggregateCache<Aggregate>): number {
  return [...held.entries()].reduce((sum, [, { rows }]) => sum + rows, 0);
}

describe('AggregateCache', () => {
  it('evicts the rows of the aggregates that were used longest ago', () => {
    const held = new AggregateCache<Aggregate>();
    const [a, b, c] = [new Aggregate(2_000), new Aggregate(2_000), new Aggregate(2_000)];
    for (const [id, aggregate] of Object.entries({ a, b, c })) held.keep(id, aggregate);
    held.keep('a', a);
    held.evict();
    expect([a.rows, b.rows, c.rows]).toEqual([2_000, 0, 2_000]);
    expect(idsOf(held)).toEqual(['b', 'c', 'a']);
    held.evict();
    expect(c.rows).toBe(2_000);
  });

  it('keeps the few rows that commands read again and again, as long as there is room for them', () => {
    const held = new AggregateCache<Aggregate>();
    const aggregates = Array.from({ length: 60 }, () => new Aggregate(100, 0, 4));
    for (const [index, aggregate] of aggregates.entries()) held.keep(`${index}`, aggregate);
    held.evict();
    expect(aggregates.map(({ rows }) => rows).sort((a, b) => a - b)).toEqual([
      ...Array.from({ length: 11 }, () => 4),
      ...Array.from({ length: 49 }, () => 100),
    ]);
    const crowd = new AggregateCache<Aggregate>();
    for (let index = 0; index < 60; index += 1) crowd.keep(`${index}`, new Aggregate(100, 0, 100));
    crowd.evict();
    expect(rowsOf(crowd)).toBe(5_000);
    expect(crowd.get('0')?.rows).toBe(0);
  });

  it('drops those used longest ago when there are too many, or too many rows that may exist', () => {
    const many = new AggregateCache<Aggregate>();
    for (let index = 0; index < 1_002; index += 1) many.keep(`${index}`, new Aggregate(0));
    many.evict();
    expect(idsOf(many)).toHaveLength(1_000);
    expect(many.get('1')).toBeUndefined();
    expect(many.get('2')).toBeDefined();
    const named = new AggregateCache<Aggregate>();
    for (const id of ['a', 'b', 'c']) named.keep(id, new Aggregate(0, 400_000));
    named.evict();
    expect(idsOf(named)).toEqual(['b', 'c']);
  });

  it('counts rightly what is kept, grows, is dropped and is evicted', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(4_000), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const held = new AggregateCache<Aggregate>();
        for (const [id, rows, isDropped] of steps) {
          const aggregate = held.get(id) ?? new Aggregate(0);
          aggregate.rows += rows;
          if (isDropped) held.drop(id);
          else held.keep(id, aggregate);
          const before = rowsOf(held);
          held.evict();
          if (before <= 5_000) expect(rowsOf(held)).toBe(before);
          else expect(rowsOf(held)).toBeLessThanOrEqual(5_000);
        }
        held.clear();
        expect(idsOf(held)).toEqual([]);
      }),
    );
  });
});
