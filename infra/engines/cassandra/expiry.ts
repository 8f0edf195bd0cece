import { DAY_MS, SECOND_MS } from '../../../schemas/base/time.ts';

/**
 * The longest time to live: ten years. Rows that live longer do not get one; the reader's clock alone decides.
 * Cassandra rejects expiries after January 2038 and times to live beyond 20 years.
 */
const TTL_SECONDS_MAX = (3_650 * DAY_MS) / SECOND_MS;

/** Cassandra's value for "never". */
const NO_TTL = 0;

/**
 * Returns the time to live, in whole seconds, of a row that is no longer needed `keptMs` after its expiry. Readers
 * compare the expiry with their own clock; the time to live only frees the disk.
 */
export function secondsToLive(expiresAt: number | null, now: number, keptMs: number): number {
  if (expiresAt === null) return NO_TTL;
  const seconds = Math.ceil((Math.max(0, expiresAt - now) + keptMs) / SECOND_MS);
  return seconds > TTL_SECONDS_MAX ? NO_TTL : seconds;
}

/** True if something with this expiry is visible at a time. */
export function isLive(expiresAt: number | null, now: number): boolean {
  return expiresAt === null || expiresAt > now;
}
