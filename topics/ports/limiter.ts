import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import type { KeyMode } from '../../schemas/limiter/keys.ts';

/** `payment-required`: a live key of an organization without an active subscription. */
export type KeyStatus = 'active' | 'revoked' | 'payment-required';

/**
 * The time for which a cached status is valid before it is read again; a revocation stays valid. If the limiter's
 * memory ever loses a newer status, an older one that was read before admits calls for at most this time.
 */
export const KEY_STATUS_LIFE_MS = MINUTE_MS;

/** The time for which a check's Idempotency-Key is remembered. */
export const CHECK_REMEMBERED_MS = MINUTE_MS;

/** Counts are offered for publication this often; what a limiter without durable memory can lose is as old at most. */
export const USAGE_INTERVAL_MS = 5 * SECOND_MS;

/** Windows of a key whose denied calls are counted; further ones take the place of those with the fewest. */
export const DENIED_WINDOWS_MAX = 50;

/** Denied calls of windows are counted for half of this time at least, and then stay for as long. */
export const DENIED_KEPT_MS = 2 * DAY_MS;

/** One key of one account. The account is the organization: no counter is shared between two of them. */
export interface LimiterKey {
  readonly account: string;
  readonly keyId: string;
}

/** The name of a window, within an account and a mode. */
export interface WindowName {
  /** 1 to 128 characters. */
  readonly namespace: string;
  /** 1 to 256 characters. */
  readonly identifier: string;
  /** Whole milliseconds, 1 to 31 days. */
  readonly windowMs: number;
}

/** A window of an account. */
export interface AccountWindow extends WindowName {
  readonly account: string;
  readonly mode: KeyMode;
}

/** One limit that a call has to keep, and what the call takes from its window. */
export interface CheckEntry extends WindowName {
  /** Whole, 1 to 1,000,000,000. */
  readonly limit: number;
  /** Whole, 0 to 1,000,000,000: the units to consume. 0 peeks without consuming. */
  readonly cost: number;
}

/** The key that calls, and what holds for all entries of the call. */
export interface CheckingKey extends LimiterKey {
  readonly mode: KeyMode;
  /** Windows of the account that may be there at once: beyond them no further one begins. */
  readonly windowsMax: number;
  /** The quotas of the key: calls a minute, and calls a calendar month or null for any number. */
  readonly quota: { readonly minute: number; readonly month: number | null };
  /** The digests of an Idempotency-Key and of the input that a repeat must have, or null. */
  readonly idempotency: { readonly digest: string; readonly inputDigest: string } | null;
}

/** A call with one entry. */
export interface Check extends CheckingKey, CheckEntry {}

/** The part of a call with one entry that its caller states, besides the key. */
export type AskedCheck = CheckEntry & Pick<CheckingKey, 'idempotency'>;

/**
 * Calls of {@link Limiter.checkEach} at most. A limiter in another process decides them in one step, in which it answers no other
 * caller.
 */
export const CHECK_EACH_MAX = 100;

/** The rest of one of the key's quotas. Times are Unix milliseconds of the limiter's clock. */
export interface KeyQuota {
  readonly limit: number;
  readonly remaining: number;
  /** When the minute or the month ends. */
  readonly resetAt: number;
}

/** The quotas of a key: of the minute that runs, and of the calendar month (UTC) where it has one. */
export interface KeyQuotas {
  readonly minute: KeyQuota;
  readonly month: KeyQuota | null;
}

/** The answer about one entry. */
export interface EntryAnswer {
  /** True if the entry alone would be let through. */
  readonly allowed: boolean;
  /** Units that are left in the window after this call; never negative. */
  readonly remaining: number;
  /** When the window ends, or would end if it began now. */
  readonly resetAt: number;
  /** The time until the window ends; 0 for an entry that is allowed. */
  readonly retryAfterMs: number;
}

/** The part that every answer has. */
interface Told {
  readonly quotas: KeyQuotas;
  /** The limiter's time of this answer. */
  readonly now: number;
}

/** No status is known to the memory of this name: put one that was read from now on, and ask again. */
export interface StatusMissing {
  readonly kind: 'status-missing';
  readonly memory: string;
}

/** Why the key has no call decided: nothing was counted. */
export type KeyUndecided =
  | { readonly kind: 'revoked' }
  | { readonly kind: 'payment-required' }
  /** The account has more calls under way than its share of what the limiter takes at once. */
  | { readonly kind: 'share-full' }
  | StatusMissing
  /** Nothing is known of the month's calls: fill them in and check again. `month` is `YYYY-MM` in UTC. */
  | { readonly kind: 'month-missing'; readonly month: string };

/** Why a call was not decided by its windows. */
export type Undecided =
  | KeyUndecided
  | (Told & {
      readonly kind: 'quota-exceeded';
      readonly scope: 'minute' | 'month';
      readonly retryAfterMs: number;
    })
  /** The account has as many windows as it may have, and this call would begin others. */
  | (Told & {
      readonly kind: 'windows-exhausted';
      /** The time until windows end, and others may begin; 0 if none is there. */
      readonly retryAfterMs: number;
    })
  /** The Idempotency-Key was used with other input. */
  | { readonly kind: 'idempotency-conflict' };

export type CheckResult = (Told & EntryAnswer & { readonly kind: 'answered' }) | Undecided;

export type ChecksResult =
  | (Told & {
      readonly kind: 'answered';
      /** True if every entry is allowed. If it is false, no window has changed. */
      readonly allowed: boolean;
      /** In the order of the entries. */
      readonly entries: readonly EntryAnswer[];
    })
  | Undecided;

/** The result of one of several independent calls. */
export type EachResult =
  | Exclude<CheckResult, KeyUndecided>
  /** The limiter has no room to store its Idempotency-Key. Nothing was counted. */
  | { readonly kind: 'no-room' };

/** The results of independent calls, and the quotas after the last one. */
export interface EachAnswered extends Told {
  readonly kind: 'each-answered';
  /** In the order of the calls. */
  readonly results: readonly EachResult[];
}

/** A window that has not ended. */
export interface RunningWindow {
  readonly used: number;
  /** Unix milliseconds at which it ends. */
  readonly resetAt: number;
}

export interface KeyStatusEntry extends LimiterKey {
  readonly status: KeyStatus;
  /** The version of the organization that the status was read from or written with. */
  readonly version: number;
  /**
   * Unix milliseconds at which the key ends; absent for a key without an end. The limiter alone compares it with a clock, its
   * own. From then on the key counts as revoked, until a newer status has another end.
   */
  readonly expiresAt?: number;
  /**
   * The memory that requested the status before it was read. Another memory rejects it, so that a status read before
   * a failover does not count afterwards. Absent for a status that is written with its cause, which every memory
   * accepts.
   */
  readonly memory?: string;
}

/** Calls that a window denied. */
export interface DeniedWindow extends WindowName {
  readonly denied: number;
}

export interface DeniedWindows {
  /** Unix milliseconds since which the calls are counted. */
  readonly since: number;
  /** The most denied first. Exact up to {@link DENIED_WINDOWS_MAX} windows, and too many rather than too few beyond. */
  readonly windows: readonly DeniedWindow[];
}

export interface MonthUse extends LimiterKey {
  /** `YYYY-MM` in UTC. */
  readonly month: string;
  /** Calls that reached a counter, allowed or not. */
  readonly used: number;
}

/**
 * Absolute counts of one key and minute. Publishing a count twice, late or concurrently has no effect. The counts of one (key, minute, incarnation) only grow; those of different incarnations add up.
 */
export interface UsageCount extends LimiterKey {
  readonly mode: KeyMode;
  /** Unix milliseconds at which the minute began. */
  readonly minute: number;
  /** Tells this count from one that started again after the limiter had lost its memory. */
  readonly incarnation: string;
  /** Calls that reached a counter and were let through; these and the denied ones are metered. */
  readonly allowed: number;
  readonly denied: number;
  /** Calls beyond the key's own quota, or the account's windows: they reached no counter and cost nothing. */
  readonly refused: number;
}

/**
 * The rate limiter: a key's status, its quotas and the window of an identifier, checked and counted in one step. Exact
 * for any number of gateways while the limiter's memory lasts. All times are those of the limiter's own clock.
 *
 * Every method rejects with `EngineUnavailableError` when there is no answer in time; whether a check was counted is then
 * not known, and it must not be sent again.
 */
export interface Limiter {
  /**
   * Performs the steps in this order, all reads before the first write: the key's status, a remembered
   * Idempotency-Key, the key's month, the key's minute, the window of (account, mode, namespace, identifier, window
   * length). The first step that refuses decides, and later steps change nothing.
   *
   * - A window begins with the first call that it allows, and its end is then fixed. The limit is that of each call.
   * - An account's windows count until the end of the minute in which they end; from a length of an hour on until the
   *   end of that hour, and of a day on until the end of that day. A call that cannot begin a window counts as
   *   refused.
   * - A denied call leaves the window unchanged. Denied and allowed calls count in minute and month.
   * - Cost 0 counts in the minute only, is not remembered, and says if a call of cost 1 would be allowed. A used-up
   *   month does not stop it, and one beyond the minute is not counted as refused.
   * - A repeat with the same Idempotency-Key and input within {@link CHECK_REMEMBERED_MS} gets the first answer and
   *   is not counted. This holds for denials too, and after the end of the window.
   */
  check(check: Check): Promise<CheckResult>;
  /**
   * Like {@link check} for several different windows, all or nothing: if one entry is not allowed, no window changes, and
   * `remaining` is what stands. A quota has room for all entries or refuses the call, and so have the account's windows.
   *
   * - Each entry counts as a call: in the minute all, in the month and the usage those that cost something. Those of
   *   a call that is not allowed count as denied.
   * - A peek is not allowed where nothing is left, and then the whole call is not.
   * - The Idempotency-Key belongs to the whole call.
   */
  checkAll(key: CheckingKey, entries: readonly CheckEntry[]): Promise<ChecksResult>;
  /**
   * Decides at most {@link CHECK_EACH_MAX} calls of a key, each like {@link check} and in this order, in one step: the key has
   * all of them decided or none. Without a call, it reads the quotas.
   */
  checkEach(
    key: Omit<CheckingKey, 'idempotency'>,
    calls: readonly AskedCheck[],
  ): Promise<EachAnswered | KeyUndecided>;
  /** The window, or null: none is running. */
  readWindow(window: AccountWindow): Promise<RunningWindow | null>;
  /** Ends a window, whose place among the account's windows is free at once. Returns false if none was running. */
  endWindow(window: AccountWindow): Promise<boolean>;
  /**
   * Writes a status unless a newer one is there; `revoked` is never replaced. It holds for {@link KEY_STATUS_LIFE_MS} and,
   * once this has resolved, for every gateway.
   */
  putKeyStatus(entry: KeyStatusEntry): Promise<void>;
  /** The status that holds just now: `revoked` for a key that has ended. */
  readKeyStatus(key: LimiterKey): Promise<KeyStatus | StatusMissing>;
  /** Which windows of the key denied most calls lately. They are told, not charged for: a failure may forget them. */
  deniedWindows(key: LimiterKey): Promise<DeniedWindows>;
  /** Says how many calls a month has seen so far, unless that is being counted already. */
  fillMonth(use: MonthUse): Promise<void>;
  /**
   * Counts that have changed since they were published, of the running minute too, of at most `limit` keys. Keys that have
   * been offered are not offered again for {@link USAGE_INTERVAL_MS}, to anybody.
   */
  pendingUsage(limit: number): Promise<UsageCount[]>;
  /** Says that these counts are durable in the log. Later counts stay pending. */
  usagePublished(counts: readonly UsageCount[]): Promise<void>;
}

/** Adds up the denied calls by the name of their window: the most denied first, at most {@link DENIED_WINDOWS_MAX}. */
export function mostDenied(
  counts: Iterable<readonly [string, number]>,
  namedWindow: (name: string) => WindowName,
): DeniedWindow[] {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  const sorted = [...sums].sort((left, right) => right[1] - left[1]);
  return sorted.slice(0, DENIED_WINDOWS_MAX).map(([name, denied]) => {
    const { namespace, identifier, windowMs } = namedWindow(name);
    return { namespace, identifier, windowMs, denied };
  });
}

/** The result of a call with one entry. */
export function ofOneEntry<Others extends Undecided>(
  result: Extract<ChecksResult, { kind: 'answered' }> | Others,
): Extract<CheckResult, { kind: 'answered' }> | Others {
  if (result.kind !== 'answered') return result;
  const { entries, quotas, now } = result;
  const [entry] = entries;
  if (entry === undefined) throw new Error('reading the answer to a check without an entry');
  const { allowed, remaining, resetAt, retryAfterMs } = entry;
  return { kind: 'answered', allowed, remaining, resetAt, retryAfterMs, quotas, now };
}
