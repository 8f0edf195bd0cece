import { HOUR_MS, MINUTE_MS } from '../base/time.ts';

/** The time for which a command may name a new identity blob. Its request is answered long before that. */
export const IDENTITY_USABLE_MS = 30 * MINUTE_MS;

/** When a new identity blob is removed unless a person has it: later than any command that may name it. */
export const IDENTITY_TIDIED_AFTER_MS = HOUR_MS;

/**
 * The name of an identity blob: the end of its use in base 36, then random bytes. A fold reads the end from the name, so
 * that it never accepts a blob that the sweep may have removed.
 *
 * @param writtenAt Unix milliseconds
 */
export function identityBlobName(writtenAt: number, random: Uint8Array): string {
  return `${(writtenAt + IDENTITY_USABLE_MS).toString(36)}-${Buffer.from(random).toString('hex')}`;
}

/** True if a command at `now` (Unix milliseconds) may name this blob. Names of earlier versions do not expire. */
export function isIdentityUsable(name: string, now: number): boolean {
  const end = /^([0-9a-z]{8,10})-/.exec(name)?.[1];
  return end === undefined || now < Number.parseInt(end, 36);
}
