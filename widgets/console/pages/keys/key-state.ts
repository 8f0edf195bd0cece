import { count } from '../../parts/table/numbers.ts';
import type { Tone } from '../../parts/table/state.tsx';
import { DAY_MS, relativeTime } from '../../parts/table/time.tsx';
import type { ApiKey, KeyOverview, Subscription } from './queries.ts';

/** Without a call for this many days a key is idle. */
const IDLE_DAYS = 30;

/** The days before its end in which a key is about to end. */
const ENDS_SOON_DAYS = 7;

/** The hours back, the current one included, in which refused calls are still a state. */
const RECENT_HOURS = 2;

export interface KeyState {
  readonly word: string;
  readonly tone: Tone;
  /** The advice on it; null if there is nothing to do. */
  readonly cure: string | null;
}

interface Around {
  readonly now: number;
  /** Null while it is not known. */
  readonly subscription: Subscription['status'] | null;
  readonly testPerMonth: number;
}

/** The state of an active key, with its cure. `now`: the service's time in Unix milliseconds. */
export function keyState(key: KeyOverview, { now, subscription, testPerMonth }: Around): KeyState {
  if (key.mode === 'live' && subscription !== null && subscription !== 'active') {
    return { word: 'Needs a subscription', tone: 'warn', cure: 'Calls get 402. Start the subscription.' };
  }
  if (key.mode === 'test' && key.month.used >= testPerMonth) {
    return { word: 'Month used up', tone: 'warn', cure: 'Calls get 429 until next month. Use a live key.' };
  }
  if (key.expiresAt !== null && Date.parse(key.expiresAt) - now <= ENDS_SOON_DAYS * DAY_MS) {
    const end = `Ends ${relativeTime(key.expiresAt, now)}.`;
    return key.replacedBy === null
      ? { word: 'Ends soon', tone: 'warn', cure: `${end} Rotate it, or set another expiry.` }
      : { word: 'Replaced', tone: 'warn', cure: `${end} Use the key that replaced it.` };
  }
  const refused = key.hours.slice(-RECENT_HOURS).reduce((sum, hour) => sum + hour.refused, 0);
  if (refused > 0) {
    return { word: 'Over its quota', tone: 'warn', cure: `${count(refused)} refused. Spread the calls out.` };
  }
  if (key.lastUsedAt === null) return { word: 'Not used yet', tone: 'idle', cure: null };
  const days = Math.floor((now - Date.parse(key.lastUsedAt)) / DAY_MS);
  return days >= IDLE_DAYS
    ? { word: `Idle ${days} d`, tone: 'warn', cure: 'Revoke it if nothing needs it.' }
    : { word: 'In use', tone: 'ok', cure: null };
}

/** True if a key was revoked or has expired at `now` (Unix milliseconds). */
export function hasEnded(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now);
}
