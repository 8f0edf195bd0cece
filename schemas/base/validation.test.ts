import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseQuery } from '../../gateway/http/routing/query.ts';
import { parseInput } from './validation.ts';

const schema = z.strictObject({
  name: z.string().min(1).max(80).optional(),
  revision: z.int().min(1).optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  step: z.int().multipleOf(5).optional(),
  amount: z.int().min(1).max(1_000_000_000).optional(),
  mode: z.enum(['test', 'live']).optional(),
  version: z.literal('v1').optional(),
  origin: z
    .string()
    .refine((text) => text.startsWith('https:'), 'expected an exact HTTPS origin')
    .optional(),
  at: z.iso.datetime().optional(),
  columns: z
    .array(z.strictObject({ source: z.string().max(3) }))
    .max(2)
    .optional(),
  counts: z.record(z.string().max(2), z.int()).optional(),
  kind: z.discriminatedUnion('of', [z.strictObject({ of: z.literal('a') })]).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
});

function messageOf(value: unknown): string {
  try {
    parseInput(schema, value, 'body');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('parseInput', () => {
  it.each<[unknown, string]>([
    [undefined, 'body: seen nothing, expected an object.'],
    [[1], 'body: seen an array of 1 item, expected an object.'],
    [{ name: '' }, 'body.name: seen a string of 0 characters, expected at least 1 character.'],
    [{ name: 'x'.repeat(81) }, 'body.name: seen a string of 81 characters, expected at most 80 characters.'],
    [{ name: null }, 'body.name: seen null, expected a string.'],
    [{ revision: 1.5 }, 'body.revision: seen a number with a fraction, expected a whole number.'],
    [{ revision: 0 }, 'body.revision: seen a number, expected at least 1.'],
    [{ revision: -0.5 }, 'body.revision: seen a number with a fraction, expected a whole number.'],
    [JSON.parse('{"ratio":1e400}'), 'body.ratio: seen a number with too many digits, expected a number.'],
    [{ name: '😀'.repeat(81) }, 'body.name: seen a string of 81 characters, expected at most 80 characters.'],
    [{ ratio: 0 }, 'body.ratio: seen a number, expected more than 0.'],
    [{ ratio: 1 }, 'body.ratio: seen a number, expected less than 1.'],
    [{ step: 3 }, 'body.step: seen a number, expected a multiple of 5.'],
    [{ amount: 1e21 }, 'body.amount: seen a number, expected at most 1000000000.'],
    [{ amount: -1e21 }, 'body.amount: seen a number, expected at least 1.'],
    [{ revision: 1e21 }, 'body.revision: seen a number, expected at most 9007199254740991.'],
    [{ mode: 'prod' }, 'body.mode: seen a string of 4 characters, expected "test" or "live".'],
    [{ version: true }, 'body.version: seen a boolean, expected "v1".'],
    [{ origin: 'ftp' }, 'body.origin: seen a string of 3 characters, expected an exact HTTPS origin.'],
    [{ at: 'now' }, 'body.at: seen a string of 3 characters, expected an ISO 8601 time in UTC.'],
    [
      { columns: [{ source: 'abc' }, { source: 'abcd' }] },
      'body.columns[1].source: seen a string of 4 characters, expected at most 3 characters.',
    ],
    [{ columns: [1, 2, 3] }, 'body.columns: seen an array of 3 items, expected at most 2 items.'],
    [{ nome: 1 }, 'body: seen "nome", expected only members that are known here.'],
    [{ constructor: 1 }, 'body: seen "constructor", expected only members that are known here.'],
    [{ kind: { of: 'b' } }, 'body.kind.of: seen a string of 1 character, expected "a".'],
    [{ either: 1 }, 'body.either: seen a number, expected a string or true or false.'],
  ])('says what is wrong with %j', (value, message) => {
    expect(messageOf(value)).toContain(message);
  });

  it('names no member whose name could be a value', () => {
    expect(messageOf({ counts: { hidden: 1 } })).toContain('body.counts: seen an object');
    const hidden = ['svc_project_hidden', 'hidden value', 'hidden@example.org', 'x'.repeat(65)];
    for (const name of hidden) {
      expect(messageOf({ [name]: 1 })).toBe(
        'body: seen a member whose name is not shown, expected only members that are known here.',
      );
    }
  });

  it.each<[z.ZodType, string]>([
    [z.strictObject({}), 'no members'],
    [z.strictObject({ id: z.string().optional() }), 'only "id"'],
    [z.strictObject({ id: z.string().optional(), of: z.string().optional() }), 'only "id" and "of"'],
  ])('names the arguments that a tool knows, and not the unknown one', (tool, known) => {
    expect(() => parseInput(tool, { hidden: 1 }, 'arguments')).toThrow(
      `arguments: seen a member whose name is not shown, expected ${known}.`,
    );
  });

  it('names a field once, however many of its checks fail', () => {
    const twice = z.strictObject({ code: z.string().max(2).regex(/^a/, 'expected an a') });
    const refused = () => parseInput(twice, { code: 'bbb' }, 'body');
    expect(refused).toThrow(/^body\.code: seen a string of 3 characters, expected at most 2 characters\.$/);
  });

  it('bounds how many faults it tells', () => {
    const columns = [{ source: 1 }, { source: 2 }];
    const many = { name: 1, revision: '', mode: 1, version: 2, columns };
    expect(messageOf(many).split('; ')).toHaveLength(6);
    expect(messageOf(many)).toMatch(/; and 1 more\.$/);
  });

  it('never repeats a value', () => {
    const members = Object.keys(schema.shape);
    const hidden = fc.constantFrom('hidden', ['hidden'], { hidden: 'hidden' }, { of: 'hidden' }, [
      { source: 'hidden' },
    ]);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...members), hidden), (value) => {
        // The name of a member that is not known is told; here it is what tells values apart from names.
        expect(messageOf(value).replaceAll('seen "hidden", expected', '')).not.toContain('hidden');
      }),
    );
  });
});

describe('parseQuery', () => {
  it.each<[string, Record<string, string>]>([
    ['/v1/x', {}],
    ['/v1/x?', {}],
    ['/v1/x?a=1&b=two%20words+too', { a: '1', b: 'two words too' }],
    ['/v1/x?a', { a: '' }],
    ['/v1/x?a=%C3%A4?b', { a: 'ä?b' }],
  ])('reads %s', (target, parameters) => {
    expect(parseQuery(target)).toEqual(parameters);
  });

  it('gives every name as plain data', () => {
    const parameters = parseQuery('/?__proto__=1&constructor=2');
    expect(Object.entries(parameters)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it.each([
    ['/?a=1&a=2', '"a" twice'],
    ['/?a=1&%61=2', '"a" twice'],
    ['/?svc_project_x=1&svc_project_x=2', 'a member whose name is not shown twice'],
    ['/?a=%', 'percent encoding'],
    ['/?a=%ff', 'percent encoding'],
    ['/?a=%00', 'percent encoding'],
  ])('refuses %s', (target, message) => {
    expect(() => parseQuery(target)).toThrow(message);
  });
});
