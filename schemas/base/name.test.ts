import { describe, expect, it } from 'vitest';
import { nameSchema } from './name.ts';
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
  it('takes exactly the characters that a name takes', () => {
    const pattern = new RegExp(String(wireForms.get(nameSchema)?.adds?.['pattern']), 'u');
    const differing: number[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      // Half a surrogate pair is no character, and no JSON text has one.
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      if (pattern.test(character) !== nameSchema.safeParse(character).success) differing.push(point);
    }
    expect(differing).toEqual([]);
  });
});
