import { digestsEqual, keyedDigest } from '../../schemas/base/digest.ts';
import type { SecretKeys } from '../services.ts';

/** 32 letters and digits that are easy to tell apart: no 0 and O, no 1 and I. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const LENGTH = 4;

/**
 * The four characters that the command line shows and a person types. Without them a link is of no use to others. They derive
 * from the link's code and are not stored.
 */
export function confirmCode(keys: Pick<SecretKeys, 'secret'>, claimCode: string): string {
  const digest = keyedDigest(keys.secret, 'confirm', claimCode);
  // 256 is a multiple of 32, so every character is equally likely.
  return [...digest.subarray(0, LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** True if `typed` is the confirm code of the claim code, derived with the current key or the previous key. */
export function isConfirmCode(keys: SecretKeys, claimCode: string, typed: string): boolean {
  const text = typed.toUpperCase();
  return [keys.secret, keys.previous].some(
    (secret) => secret !== null && digestsEqual(confirmCode({ secret }, claimCode), text),
  );
}
