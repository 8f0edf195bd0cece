import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EMPTY_FEEDBACK_ROOT, feedbackRootSchema } from '../feedback/documents.ts';
import { loadStored, readStored } from './stored.ts';

const schema = z.strictObject({
  name: z.string(),
  used: z.strictObject({ count: z.number() }).optional(),
  items: z.array(z.strictObject({ id: z.string() })).default([]),
  kind: z.discriminatedUnion('is', [z.strictObject({ is: z.literal('a') })]).optional(),
  either: z
    .union([z.strictObject({ one: z.number() }), z.strictObject({ one: z.number(), two: z.number() })])
    .optional(),
});

const known = {
  name: 'n',
  used: { count: 1 },
  items: [{ id: 'x' }, { id: 'y' }],
  kind: { is: 'a' },
  either: { one: 1, two: 2 },
} as const;

/** As a newer release writes it: with a member more on every level. */
const newer = {
  ...known,
  added: { any: [1] },
  used: { count: 1, added: 2 },
  items: [{ id: 'x' }, { id: 'y', added: 3 }],
  kind: { is: 'a', added: 4 },
  either: { one: 1, two: 2, added: 5 },
};

describe('readStored', () => {
  it('passes over unknown members on every level, and changes nothing', () => {
    const document = structuredClone(newer);
    expect(readStored(schema, document)).toEqual(known);
    expect(document).toEqual(newer);
  });

  it('reads the root of a workspace in which a newer release has added a member', () => {
    expect(readStored(feedbackRootSchema, { ...EMPTY_FEEDBACK_ROOT, added: 'wdg' })).toEqual(
      EMPTY_FEEDBACK_ROOT,
    );
  });

  it.each([
    ['a member of the wrong type', { ...newer, name: 1 }],
    ['a missing member', { added: 1 }],
    ['an unknown alternative', { ...newer, kind: { is: 'b' } }],
    ['an alternative that lacks a member', { ...newer, either: { two: 2 } }],
  ])('throws for %s', (_, document) => {
    expect(() => readStored(schema, document)).toThrow(z.ZodError);
  });
});

describe('loadStored', () => {
  it('keeps unknown members on every level, through a change by spreading', () => {
    const loaded = loadStored(schema, newer);
    expect(loaded).toEqual(newer);
    expect({ ...loaded, name: 'm' }).toEqual({ ...newer, name: 'm' });
  });

  it('gives members that an older release did not write their defaults', () => {
    expect(loadStored(schema, { name: 'n', added: 1 })).toEqual({ name: 'n', items: [], added: 1 });
  });
});
