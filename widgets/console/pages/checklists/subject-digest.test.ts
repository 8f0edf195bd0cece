import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestFrom, subjectDigest } from './subject-digest.ts';

describe('subjectDigest', () => {
  it.each([
    ['0123456789abcdef', 'user-10482'],
    ['ключ 🔑', 'Ζωή\u202e'],
    ['a secret that is longer than the block of SHA-256: '.repeat(3), 'x'.repeat(10_000)],
    [' ', ''],
  ])('is the HMAC-SHA256 that a backend computes with the secret %j', async (secret, userId) => {
    const expected = createHmac('sha256', secret).update(userId).digest('hex');
    expect(await subjectDigest(secret, userId)).toBe(expected);
  });

  it('rejects an empty secret', async () => {
    await expect(subjectDigest('', 'user-1')).rejects.toThrow();
  });
});

describe('digestFrom', () => {
  it('reads a pasted digest in either case, with space around it', () => {
    expect(digestFrom(`  ${'AB'.repeat(32)}\n`)).toBe('ab'.repeat(32));
  });

  it.each(['', 'ab'.repeat(31), `${'ab'.repeat(32)}0`, `${'ab'.repeat(31)}zz`])('is null for %j', (text) => {
    expect(digestFrom(text)).toBeNull();
  });
});
