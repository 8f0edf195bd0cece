import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, messageSchema, pagePathSchema } from './content.ts';

describe('cleanText', () => {
  it('removes control characters and those that change the direction of text, and keeps emoji sequences', () => {
    expect(cleanText('a\u0000\u0007b\u202ec\u2066d\u2069\u200fe\u061cf\u0085')).toBe('abcdef\n');
    expect(cleanText('👩‍👩‍👧 ok\ttab')).toBe('👩‍👩‍👧 ok\ttab');
    expect(cleanText('می\u200cخواهم\u206a')).toBe('می\u200cخواهم');
    expect(cleanText('one\r\ntwo\rthree\u2028four')).toBe('one\ntwo\nthree\nfour');
  });

  it('leaves nothing to remove, and changes nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cleaned = cleanText(text);
        expect(cleaned.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
    );
  });
});

describe('messageSchema', () => {
  it('takes 1 to 2,000 characters, counted as code points', () => {
    expect(messageSchema.safeParse('🙂'.repeat(2_000)).success).toBe(true);
    expect(messageSchema.safeParse('x'.repeat(2_001)).success).toBe(false);
    expect(messageSchema.safeParse('').success).toBe(false);
  });

  it('refuses a message in which nothing is left to read', () => {
    for (const text of [' \n', '\u202e\u2066', '\u0007'])
      expect(messageSchema.safeParse(text).success).toBe(false);
  });
});

describe('pagePathSchema', () => {
  it('drops query and fragment', () => {
    expect(pagePathSchema.parse('/map?token=secret#part')).toBe('/map');
    expect(pagePathSchema.safeParse('https://other.example/').success).toBe(false);
    expect(pagePathSchema.safeParse(`/${'x'.repeat(512)}`).success).toBe(false);
  });
});
