import { describe, expect, it } from 'vitest';
import { secretFrom } from '../../schemas/base/secrets.ts';
import { confirmCode, isConfirmCode } from './confirm-code.ts';

const keys = { secret: 'current', previous: 'previous', identity: 'identity' };
const code = secretFrom('claim', Buffer.alloc(32, 7));

describe('confirmCode', () => {
  it('returns four characters that are easy to tell apart, always the same for one link', () => {
    const seen = new Set<string>();
    for (let number = 0; number < 2_000; number += 1) {
      for (const character of confirmCode(keys, `link ${number}`)) seen.add(character);
    }
    expect([...seen].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
    expect(confirmCode(keys, code)).toMatch(/^.{4}$/);
    expect(confirmCode(keys, code)).toBe(confirmCode(keys, code));
  });
});

describe('isConfirmCode', () => {
  it('accepts the code in either case, and the code of the previous key', () => {
    expect(isConfirmCode(keys, code, confirmCode(keys, code).toLowerCase())).toBe(true);
    expect(isConfirmCode(keys, code, confirmCode({ secret: 'previous' }, code))).toBe(true);
  });

  it('rejects any other code', () => {
    expect(isConfirmCode(keys, code, confirmCode({ secret: 'other' }, code))).toBe(false);
    expect(isConfirmCode({ ...keys, previous: null }, code, confirmCode({ secret: 'previous' }, code))).toBe(
      false,
    );
  });
});
