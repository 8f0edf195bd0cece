import { digestsEqual, keyedDigest } from '../../schemas/base/digest.ts';
import type { SecretKeys } from '../http/services.ts';

/** 32 letters and digits that nobody mistakes for one another: no 0 and O, no 1 and I. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const LENGTH = 4;

/**
 * The four characters that the command line shows and a person types, so that a link which was passed on is of no use
 * by itself. They derive from the link's code and are stored nowhere.
 */
export function confirmCode(keys: Pick<SecretKeys, 'secret'>, claimCode: string): string {
  const digest = keyedDigest(keys.secret, 'confirm', claimCode);
  // 32 characters divide 256 evenly, so that every one is equally likely.
  return [...digest.subarray(0, LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Whether what was typed is the confirm code of this claim code, made with the current key or the one before. */
export function isConfirmCode(keys: SecretKeys, claimCode: string, typed: string): boolean {
  const text = typed.toUpperCase();
  return [keys.secret, keys.previous].some(
    (secret) => secret !== null && digestsEqual(confirmCode({ secret }, claimCode), text),
  );
}
