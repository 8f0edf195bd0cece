import { describe, expect, it } from 'vitest';
import { createPasswordVerifier, HASHES_WAITING_MAX, verifyPassword } from './password.ts';

const HOLDER = 'an address';

describe('a verifier', () => {
  it('knows its password, in every way of writing its characters, and no other', async () => {
    const verifier = await createPasswordVerifier('fünf Äpfel und ein Pferd', HOLDER);
    expect(verifier).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(await verifyPassword('fünf Äpfel und ein Pferd'.normalize('NFD'), verifier, HOLDER)).toBe(true);
    expect(await verifyPassword('fünf Äpfel und ein Pferd ', verifier, HOLDER)).toBe(false);
  });

  it('differs for the same password', async () => {
    const [one, two] = await Promise.all([
      createPasswordVerifier('same', HOLDER),
      createPasswordVerifier('same', HOLDER),
    ]);
    expect(one).not.toBe(two);
  });

  it('without a verifier fits no password', async () => {
    expect(await verifyPassword('', null, HOLDER)).toBe(false);
  });

  it('that is damaged is an error, not a wrong password', async () => {
    await expect(verifyPassword('any', '$scrypt$ln=15', HOLDER)).rejects.toThrow(
      "reading a password's verifier",
    );
  });

  it('made at another cost still verifies', async () => {
    expect(await verifyPassword('password', QUICK, HOLDER)).toBe(true);
  });
});

/** `scrypt('password', 16 zero bytes, N=2^4, r=1, p=1)`, computed with another implementation: a hash that is quick. */
const QUICK = '$scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$L6s7g1TgPZYzCSXxDWATNZG9O+4awHkMlZhLx49VBAw';

describe('hashes of passwords', () => {
  it('leave room for a neighbour of a caller who asks for very many', async () => {
    const attempts = Array.from({ length: 4 * HASHES_WAITING_MAX }, () =>
      verifyPassword('password', QUICK, 'crowd'),
    );
    const settled = Promise.allSettled(attempts);
    const neighbour = Array.from({ length: 8 }, () => verifyPassword('password', QUICK, 'neighbour'));
    expect(await Promise.all(neighbour)).toEqual(Array(8).fill(true));
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(3 * HASHES_WAITING_MAX);
    for (const each of refused) {
      expect(each).toMatchObject({ reason: { refusal: { code: 'rate_limited', retryAfterSeconds: 2 } } });
    }
    expect(await verifyPassword('password', QUICK, 'crowd')).toBe(true);
  });

  it('leave room for a newcomer beside five such callers', async () => {
    const crowd = Array.from({ length: 4 * HASHES_WAITING_MAX }, (_, at) =>
      verifyPassword('password', QUICK, `crowd ${at % 5}`).catch(() => false),
    );
    expect(await verifyPassword('password', QUICK, 'neighbour')).toBe(true);
    await Promise.all(crowd);
  });
});
