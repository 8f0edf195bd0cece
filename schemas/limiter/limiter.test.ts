import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECK_BOUNDS, checkRequestSchema } from './http.ts';
import { isLimiterKey, LIMITER_KEY_BYTES, limiterKeyDigest, limiterKeyFrom } from './keys.ts';

describe('an API key', () => {
  it('has its form, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('test' as const, 'live' as const),
        fc.uint8Array({ minLength: LIMITER_KEY_BYTES, maxLength: LIMITER_KEY_BYTES }),
        (mode, bytes) => {
          const key = limiterKeyFrom(mode, bytes);
          expect(key).toMatch(new RegExp(`^svc_limiter_${mode}_[0-9A-Za-z]{32}$`));
          expect(isLimiterKey(key)).toBe(true);
        },
      ),
    );
  });

  it('takes as many bytes as it says', () => {
    expect(() => limiterKeyFrom('live', new Uint8Array(LIMITER_KEY_BYTES - 1))).toThrow(RangeError);
  });

  it('is stored as its SHA-256', () => {
    expect(limiterKeyDigest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('a check', () => {
  const check = { namespace: 'n', identifier: 'i', limit: 1, window: 1 };

  it('costs one unless it says something else', () => {
    expect(checkRequestSchema.parse(check).cost).toBe(1);
    expect(checkRequestSchema.parse({ ...check, cost: 0 }).cost).toBe(0);
  });

  it('counts characters, not the units that they are written in', () => {
    const { namespaceCharacters, identifierCharacters } = CHECK_BOUNDS;
    const widest = {
      namespace: '😀'.repeat(namespaceCharacters),
      identifier: '😀'.repeat(identifierCharacters),
    };
    expect(checkRequestSchema.safeParse({ ...check, ...widest }).success).toBe(true);
    for (const [name, text] of Object.entries(widest)) {
      expect(checkRequestSchema.safeParse({ ...check, [name]: `${text}x` }).success).toBe(false);
    }
  });

  it('is only what the interface allows, whatever is sent', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (limit, window) => {
        const { success, data } = checkRequestSchema.safeParse({ ...check, limit, window });
        const isIn = (value: unknown, max: number) =>
          Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;
        expect(success).toBe(isIn(limit, CHECK_BOUNDS.limit) && isIn(window, CHECK_BOUNDS.windowMs));
        if (success) expect(data).toMatchObject({ limit, window });
      }),
    );
  });
});
