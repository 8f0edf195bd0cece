import { describe, expect, it } from 'vitest';
import { createPasswordVerifier, verifyPassword } from './password.ts';

describe('a verifier', () => {
  it('knows its password, in every way of writing its characters, and no other', async () => {
    const verifier = await createPasswordVerifier('fünf Äpfel und ein Pferd');
    expect(verifier).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(await verifyPassword('fünf Äpfel und ein Pferd'.normalize('NFD'), verifier)).toBe(true);
    expect(await verifyPassword('fünf Äpfel und ein Pferd ', verifier)).toBe(false);
  });

  it('differs for the same password', async () => {
    const [one, two] = await Promise.all([createPasswordVerifier('same'), createPasswordVerifier('same')]);
    expect(one).not.toBe(two);
  });

  it('without a verifier fits no password', async () => {
    expect(await verifyPassword('', null)).toBe(false);
  });

  it('that is damaged is an error, not a wrong password', async () => {
    await expect(verifyPassword('any', '$scrypt$ln=15')).rejects.toThrow("reading a password's verifier");
  });

  it('made at another cost still verifies', async () => {
    // `scrypt('password', 16 zero bytes, N=2^4, r=1, p=1)`, computed with another implementation.
    const verifier =
      '$scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$L6s7g1TgPZYzCSXxDWATNZG9O+4awHkMlZhLx49VBAw';
    expect(await verifyPassword('password', verifier)).toBe(true);
  });
});
