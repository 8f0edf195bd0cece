import { endOfUtcMonth, HOUR_MS, MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import type { KeyMode } from '../../../schemas/limiter/keys.ts';
import {
  type Check,
  KEY_STATUS_LIFE_MS,
  type KeyQuotas,
  type KeyStatus,
  type LimiterKey,
  USAGE_INTERVAL_MS,
  type UsageCount,
} from '../../../topics/ports/limiter.ts';

/** The counts of one minute. */
export interface MinuteCount {
  readonly mode: KeyMode;
  readonly incarnation: string;
  allowed: number;
  denied: number;
  refused: number;
  /** Calls that only looked: they count in the minute, and are not published. */
  looked: number;
}

interface BelievedStatus {
  readonly status: KeyStatus;
  readonly version: number;
  readonly until: number;
}

/** What is known and counted of one key. Minutes are numbered since 1970. */
export class LimiterCard {
  readonly key: LimiterKey;
  readonly minutes = new Map<number, MinuteCount>();
  month: string | null = null;
  usedInMonth = 0;
  #status: BelievedStatus | null = null;
  #dirty = false;
  #offeredAt = Number.NEGATIVE_INFINITY;

  constructor(key: LimiterKey) {
    this.key = key;
  }

  /** The status that holds, or null when none is known. However the clock is set, none is believed for longer than its life. */
  statusAt(now: number): KeyStatus | null {
    if (this.#status === null) return null;
    const { status, until } = this.#status;
    if (status === 'revoked') return status;
    return until > now && until <= now + KEY_STATUS_LIFE_MS ? status : null;
  }

  putStatus(status: KeyStatus, version: number, now: number): void {
    if (this.#status?.status === 'revoked' || (this.#status?.version ?? 0) > version) return;
    this.#status = { status, version, until: now + KEY_STATUS_LIFE_MS };
  }

  /**
   * Whether all of it can be had again: everything is published, no minute of it may still be counted in, no status is or was
   * lately believed, and its month is over or its key revoked.
   */
  isForgettable(now: number): boolean {
    if (this.#dirty || [...this.minutes.keys()].some((minute) => minute >= minuteOf(now) - 1)) return false;
    // An older status that is still on its way must meet the newer one.
    if (this.#status !== null && this.#status.until + HOUR_MS > now) return false;
    return this.#status?.status === 'revoked' || this.month === null || this.month < utcMonth(now);
  }

  callsIn(minute: number): number {
    const count = this.minutes.get(minute);
    return count === undefined ? 0 : count.allowed + count.denied + count.looked;
  }

  /** What is left of the quotas. Of a key with a quota a month, the month has been filled in. */
  quotasLeft(quota: Check['quota'], now: number): KeyQuotas {
    const left = (limit: number, used: number, resetAt: number) => ({
      limit,
      remaining: Math.max(0, limit - used),
      resetAt,
    });
    const minute = minuteOf(now);
    return {
      minute: left(quota.minute, this.callsIn(minute), (minute + 1) * MINUTE_MS),
      month:
        quota.month === null
          ? null
          : left(quota.month, this.usedInMonth, endOfUtcMonth(this.month ?? utcMonth(now))),
    };
  }

  /** Counts one call, and puts the key among those with something to publish. */
  count(
    what: 'allowed' | 'denied' | 'refused' | 'looked',
    now: number,
    made: Pick<MinuteCount, 'mode' | 'incarnation'>,
  ): void {
    const minute = minuteOf(now);
    const count = this.minutes.get(minute) ?? { ...made, allowed: 0, denied: 0, refused: 0, looked: 0 };
    count[what] += 1;
    this.minutes.set(minute, count);
    this.#dirty = true;
  }

  /** Puts the counts of a minute back that were kept over a restart; whether they were published is not known. */
  restore(minute: number, count: MinuteCount): void {
    this.minutes.set(minute, count);
    this.#dirty = true;
  }

  /** What waits to be published, or null when there is nothing or it was offered a moment ago. */
  offer(now: number): UsageCount[] | null {
    const sinceOffer = now - this.#offeredAt;
    if (!this.#dirty || (sinceOffer >= 0 && sinceOffer < USAGE_INTERVAL_MS)) return null;
    this.#offeredAt = now;
    const counts = [...this.minutes].flatMap(([minute, { looked: _, ...count }]) =>
      hasUsage(count) ? [{ ...this.key, minute: minute * MINUTE_MS, ...count }] : [],
    );
    return counts.length === 0 ? null : counts;
  }

  /**
   * Notes that these counts are in the log, and drops those of minutes that are over; the one before this minute stays, for
   * when the clock is set back a little.
   *
   * @returns the minutes that were dropped.
   */
  published(counts: readonly UsageCount[], now: number): number[] {
    const dropped: number[] = [];
    let clean = true;
    for (const [minute, count] of this.minutes) {
      const known = counts.some(
        (published) => published.minute === minute * MINUTE_MS && sameCount(published, count),
      );
      if (!known && hasUsage(count)) clean = false;
      else if (minute < minuteOf(now) - 1) dropped.push(minute);
    }
    for (const minute of dropped) this.minutes.delete(minute);
    if (clean) this.#dirty = false;
    return dropped;
  }
}

/** The number of a minute since 1970. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS);
}

function hasUsage({ allowed, denied, refused }: Pick<UsageCount, 'allowed' | 'denied' | 'refused'>): boolean {
  return allowed + denied + refused > 0;
}

function sameCount(published: UsageCount, count: MinuteCount): boolean {
  return (
    published.incarnation === count.incarnation &&
    published.allowed === count.allowed &&
    published.denied === count.denied &&
    published.refused === count.refused
  );
}
