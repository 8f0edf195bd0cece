import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { breaches, type Json } from './compatibility.ts';

function schema(type: z.ZodType): Json {
  return z.toJSONSchema(type, { target: 'draft-2020-12' }) as Json;
}

const base = z.strictObject({ name: z.string().min(1).max(80), state: z.enum(['open', 'done']) });

/** Changes by who is broken: those who send, and those who receive. */
const CHANGES: readonly [string, z.ZodType, z.ZodType, ('read' | 'written')[]][] = [
  ['nothing', base, base, []],
  ['a further optional member', base, base.extend({ note: z.string().optional() }), ['written']],
  ['a further required member', base, base.extend({ note: z.string() }), ['read', 'written']],
  ['a member that is gone', base, base.omit({ state: true }), ['read', 'written']],
  ['a member that is optional now', base, base.extend({ name: base.shape.name.optional() }), ['written']],
  ['a longer text', base, base.extend({ name: z.string().min(1).max(100) }), ['written']],
  ['a shorter text', base, base.extend({ name: z.string().min(1).max(40) }), ['read']],
  ['a text that may be empty', base, base.extend({ name: z.string().max(80) }), ['written']],
  ['a further value', base, base.extend({ state: z.enum(['open', 'done', 'held']) }), ['written']],
  ['a value that is gone', base, base.extend({ state: z.enum(['open']) }), ['read']],
  ['any value', base, base.extend({ state: z.string() }), ['written']],
  ['another type', base, base.extend({ name: z.int() }), ['read', 'written']],
  ['null as well', base, base.extend({ name: base.shape.name.nullable() }), ['written']],
  ['an object that takes more', base, z.looseObject(base.shape), ['written']],
  ['a pattern', base, base.extend({ name: z.string().regex(/^a/).min(1).max(80) }), ['read']],
  ['an integer instead of a number', z.number(), z.int(), ['read']],
  ['a list of longer texts', z.array(z.string().max(4)), z.array(z.string().max(5)), ['written']],
  ['a further alternative', z.union([base, z.null()]), z.union([base, z.null(), z.int()]), ['written']],
  ['alternatives in another order', z.union([base, z.null()]), z.union([z.null(), base]), []],
  ['one alternative less', z.union([z.int(), z.null()]), z.int(), ['read']],
];

describe('breaches', () => {
  it.each(CHANGES)('judges %s', (_name, before, after, broken) => {
    for (const direction of ['read', 'written'] as const) {
      const found = breaches(schema(before), schema(after), direction, 'body');
      expect(found.length > 0, `${direction}: ${found.join(' | ')}`).toBe(broken.includes(direction));
    }
  });

  it('names the place', () => {
    const after = z.strictObject({ list: z.array(base.extend({ note: z.string() })) });
    const before = z.strictObject({ list: z.array(base) });
    expect(breaches(schema(before), schema(after), 'read', 'body')).toEqual([
      'body.list[].note: required, and not always there',
    ]);
  });

  it('takes words about a schema for no change', () => {
    expect(breaches(schema(base), schema(base.describe('A thing.')), 'written', 'body')).toEqual([]);
  });
});
