import { DAY_MS, SECOND_MS } from '../../../schemas/base/time.ts';

/**
 * The longest time to live that is asked for: ten years. What lives longer is left to the clock that every reader goes by
 * (Cassandra refuses what would expire after January 2038, and everything beyond 20 years).
 */
const TTL_SECONDS_MAX = (3_650 * DAY_MS) / SECOND_MS;

/** What Cassandra takes for "never". */
const NO_TTL = 0;

/**
 * The time to live, in whole seconds, of what nobody needs any more `keptMs` after its expiry. Readers go by the expiry
 * and their own clock; this only clears up behind them.
 */
export function secondsToLive(expiresAt: number | null, now: number, keptMs: number): number {
  if (expiresAt === null) return NO_TTL;
  const seconds = Math.ceil((Math.max(0, expiresAt - now) + keptMs) / SECOND_MS);
  return seconds > TTL_SECONDS_MAX ? NO_TTL : seconds;
}

/** Whether something with this expiry can still be seen at a time. */
export function isLive(expiresAt: number | null, now: number): boolean {
  return expiresAt === null || expiresAt > now;
}
