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
