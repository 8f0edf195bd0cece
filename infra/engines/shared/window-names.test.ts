import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedNames } from './window-names.ts';

const named = (namespace: string, identifier: string) => ({ namespace, identifier, windowMs: 1_000 });

describe('storedNames', () => {
  it('keeps short names', () => {
    const short = named('sign-in', 'a'.repeat(36));
    expect(storedNames(short)).toBe(short);
  });

  it.each([
    ['one byte too long', named('sign-in', 'a'.repeat(37))],
    ['short in characters, long in bytes', named('n', '名'.repeat(15))],
    ['the longest', named('🙂'.repeat(128), '🙂'.repeat(256))],
  ])('replaces names that are %s by a digest of 43 characters', (_, window) => {
    const { namespace, identifier, windowMs } = storedNames(window);
    expect([namespace, identifier.length, windowMs]).toEqual(['', 43, 1_000]);
  });

  it('gives different windows different names', () => {
    const text = fc.string({ minLength: 1, maxLength: 30, unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, text, (a, b, c, d) => {
        const same = a === c && b === d;
        const [left, right] = [storedNames(named(a, b)), storedNames(named(c, d))];
        expect(left.namespace === right.namespace && left.identifier === right.identifier).toBe(same);
      }),
    );
    // Where the border between the two lies matters.
    expect(storedNames(named('a'.repeat(50), 'b'))).not.toEqual(storedNames(named('a'.repeat(49), 'ab')));
  });
});
