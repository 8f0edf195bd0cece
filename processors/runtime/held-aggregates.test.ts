import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeldAggregates } from './held-aggregates.ts';

/** An aggregate that turns its rows into named ones when it lets go of them. */
class Aggregate {
  rows: number;
  namedRows: number;
  constructor(rows: number, namedRows = 0) {
    this.rows = rows;
    this.namedRows = namedRows;
  }

  shed(): void {
    this.namedRows += this.rows;
    this.rows = 0;
  }
}

function idsOf(held: HeldAggregates<Aggregate>): string[] {
  return [...held.entries()].map(([id]) => id);
}

function rowsOf(held: HeldAggregates<Aggregate>): number {
  return [...held.entries()].reduce((sum, [, { rows }]) => sum + rows, 0);
}

describe('HeldAggregates', () => {
  it('lets go of the rows of those that were used longest ago', () => {
    const held = new HeldAggregates<Aggregate>();
    const [a, b, c] = [new Aggregate(2_000), new Aggregate(2_000), new Aggregate(2_000)];
    for (const [id, aggregate] of Object.entries({ a, b, c })) held.keep(id, aggregate);
    held.keep('a', a);
    held.letGo();
    expect([a.rows, b.rows, c.rows]).toEqual([2_000, 0, 2_000]);
    expect(idsOf(held)).toEqual(['b', 'c', 'a']);
    held.letGo();
    expect(c.rows).toBe(2_000);
  });

  it('drops those used longest ago when there are too many, or too many rows that may exist', () => {
    const many = new HeldAggregates<Aggregate>();
    for (let index = 0; index < 1_002; index += 1) many.keep(`${index}`, new Aggregate(0));
    many.letGo();
    expect(idsOf(many)).toHaveLength(1_000);
    expect(many.get('1')).toBeUndefined();
    expect(many.get('2')).toBeDefined();
    const named = new HeldAggregates<Aggregate>();
    for (const id of ['a', 'b', 'c']) named.keep(id, new Aggregate(0, 400_000));
    named.letGo();
    expect(idsOf(named)).toEqual(['b', 'c']);
  });

  it('counts rightly whatever is kept, grows, is dropped and is let go', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(4_000), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const held = new HeldAggregates<Aggregate>();
        for (const [id, rows, isDropped] of steps) {
          const aggregate = held.get(id) ?? new Aggregate(0);
          aggregate.rows += rows;
          if (isDropped) held.drop(id);
          else held.keep(id, aggregate);
          const before = rowsOf(held);
          held.letGo();
          if (before <= 5_000) expect(rowsOf(held)).toBe(before);
          else expect(rowsOf(held)).toBeLessThanOrEqual(5_000);
        }
        held.clear();
        expect(idsOf(held)).toEqual([]);
      }),
    );
  });
});
