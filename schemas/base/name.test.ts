import { describe, expect, it } from 'vitest';
import { nameSchema } from './name.ts';

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
