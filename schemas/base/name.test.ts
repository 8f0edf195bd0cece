import { describe, expect, it } from 'vitest';
import { labelSchema, nameSchema } from './name.ts';
import { wireForms } from './wire.ts';

describe('nameSchema', () => {
  it.each(['Orders', 'Bücher & mehr', '注文', '😀'.repeat(80), 'x'.repeat(80)])('takes %j', (name) => {
    expect(nameSchema.parse(name)).toBe(name);
  });

  it.each(['', ' ', '\t', 'a\nb', 'a\u0000b', 'a\u202eb', 'a\u200bb', 'a\u2028b', '\ud800', 'x'.repeat(81)])(
    'refuses %j',
    (name) => {
      expect(nameSchema.safeParse(name).success).toBe(false);
    },
  );
});

/** Persian, old Malayalam, Sinhala, Marathi; people of pictures, with a colour and a form. */
const JOINED = [
  ...['می\u200cخواهم', 'അനിവര്\u200d', 'ශ්\u200dරී', 'र्\u200dय', '\u{1f469}\u200d\u{1f4bb} Team'],
  ...[
    '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
    '\u2764\ufe0f\u200d\u{1f525}',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  ],
];

describe('labelSchema', () => {
  const source = String(wireForms.get(labelSchema)?.adds?.['pattern']);
  const matches = (label: string) => ['', 'u'].map((flags) => new RegExp(source, flags).test(label));

  it.each(['Orders', '注文', '😀'.repeat(80), ...JOINED])('takes %j', (label) => {
    expect(labelSchema.parse(label)).toBe(label);
    expect(matches(label)).toEqual([true, true]);
  });

  it.each([
    ...['', ' ', 'a\u202eb', 'a\u200bb', 'Ac\u200cme', 'Acme\u200d', '\u200cمی', 'می\u200c\u200cخ'],
    ...['\u{1f469}\u200d', '\u{1f469}\u200da', '\u200d\u{1f469}'],
  ])('refuses %j', (label) => {
    expect(labelSchema.safeParse(label).success).toBe(false);
    expect(matches(label)).toEqual([false, false]);
  });

  it('takes joiners, which a name does not', () => {
    expect(JOINED.filter((label) => nameSchema.safeParse(label).success)).toEqual([]);
  });
});

describe('a refused name', () => {
  it.each([
    ['a\u202eb', 'U+202E'],
    ['\u{1f469}\u200d\u{1f4bb}', 'U+200D'],
    ['\u{1f3f4}\u{e0067}\u{e007f}', 'U+E0067'],
    ['\ud800', 'U+D800'],
  ])('of %j is answered with the character', (name, character) => {
    const { error } = nameSchema.safeParse(name);
    expect(error?.issues[0]?.message).toBe(`expected no control or format characters; it has ${character}`);
  });
});

describe('the pattern of a name', () => {
  it('takes exactly the characters up to U+FFFF that a name takes, and all beyond, with the flag u or without', () => {
    const source = String(wireForms.get(nameSchema)?.adds?.['pattern']);
    const patterns = [new RegExp(source), new RegExp(source, 'u')];
    const differing: number[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      // Half a surrogate pair is no character, and no JSON text has one.
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      const isTaken = point > 0xffff || nameSchema.safeParse(character).success;
      if (patterns.some((pattern) => pattern.test(character) !== isTaken)) differing.push(point);
    }
    expect(differing).toEqual([]);
  });
});
