import { endOfUtcMonth, HOUR_MS, MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import type { KeyMode } from '../../../schemas/limiter/keys.ts';
import {
  type CheckingKey,
  KEY_STATUS_LIFE_MS,
  type KeyQuotas,
  type KeyStatus,
  type KeyStatusEntry,
  type LimiterKey,
  USAGE_INTERVAL_MS,
  type UsageCount,
} from '../../../topics/ports/limiter.ts';
import { DeniedWindows } from './denied-windows.ts';

export interface MinuteCount {
  readonly mode: KeyMode;
  readonly incarnation: string;
  allowed: number;
  denied: number;
  refused: number;
  /** Peeks count in the minute, and are not published. */
  peeks: number;
}

interface CachedStatus {
  /** `ended`: not for good, because the key may get another end. */
  readonly status: KeyStatus | 'ended';
  readonly version: number;
  readonly until: number;
}

/** The state of one key: its status, month and counts. Minutes are numbered since 1970. */
export class LimiterKeyState {
  readonly key: LimiterKey;
  readonly denied = new DeniedWindows();
  readonly minutes = new Map<number, MinuteCount>();
  month: string | null = null;
  usedInMonth = 0;
  #status: CachedStatus | null = null;
  #unpublished = false;
  #offeredAt = Number.NEGATIVE_INFINITY;

  constructor(key: LimiterKey) {
    this.key = key;
  }

  /**
   * Returns the valid status, or null if there is none. However the clock is set, no status is valid for longer than
   * its lifetime.
   */
  statusAt(now: number): KeyStatus | null {
    if (this.#status === null) return null;
    const { status, until } = this.#status;
    if (status === 'revoked') return status;
    if (until <= now || until > now + KEY_STATUS_LIFE_MS) return null;
    return status === 'ended' ? 'revoked' : status;
  }

  putStatus({ status, version, expiresAt }: Omit<KeyStatusEntry, keyof LimiterKey>, now: number): void {
    if (this.#status?.status === 'revoked' || (this.#status?.version ?? 0) > version) return;
    const keyEnds = expiresAt ?? Number.POSITIVE_INFINITY;
    const until = now + KEY_STATUS_LIFE_MS;
    this.#status =
      keyEnds <= now && status !== 'revoked'
        ? { status: 'ended', version, until }
        : { status, version, until: Math.min(until, keyEnds) };
  }

  /**
   * True if the whole state can be restored: everything is published, no recent minute is counted, no status was
   * valid lately, and the month is over or the key revoked.
   */
  isDroppable(now: number): boolean {
    if (this.#unpublished || [...this.minutes.keys()].some((minute) => minute >= minuteOf(now) - 1))
      return false;
    // A delayed older status must meet the newer one.
    if (this.#status !== null && this.#status.until + HOUR_MS > now) return false;
    return this.#status?.status === 'revoked' || this.month === null || this.month < utcMonth(now);
  }

  callsIn(minute: number): number {
    const count = this.minutes.get(minute);
    return count === undefined ? 0 : count.allowed + count.denied + count.peeks;
  }

  /** Returns what is left of the quotas. The month of a key with a monthly quota must have been filled in. */
  quotasLeft(quota: CheckingKey['quota'], now: number): KeyQuotas {
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

  /** Counts calls, and marks the key as unpublished. */
  count(
    what: 'allowed' | 'denied' | 'refused' | 'peeks',
    calls: number,
    now: number,
    made: Pick<MinuteCount, 'mode' | 'incarnation'>,
  ): void {
    const minute = minuteOf(now);
    const count = this.minutes.get(minute) ?? { ...made, allowed: 0, denied: 0, refused: 0, peeks: 0 };
    count[what] += calls;
    this.minutes.set(minute, count);
    this.#unpublished = true;
  }

  /** Restores the counts of a minute after a restart. They may or may not have been published. */
  restore(minute: number, count: MinuteCount): void {
    this.minutes.set(minute, count);
    this.#unpublished = true;
  }

  /** Returns the unpublished counts, or null if there are none or they were offered recently. */
  offer(now: number): UsageCount[] | null {
    const sinceOffer = now - this.#offeredAt;
    if (!this.#unpublished || (sinceOffer >= 0 && sinceOffer < USAGE_INTERVAL_MS)) return null;
    this.#offeredAt = now;
    const counts = [...this.minutes].flatMap(([minute, { peeks: _, ...count }]) =>
      hasUsage(count) ? [{ ...this.key, minute: minute * MINUTE_MS, ...count }] : [],
    );
    return counts.length === 0 ? null : counts;
  }

  /**
   * Records that these counts are durable in the log, and drops those of past minutes. The previous minute stays, in
   * case the clock is set back a little.
   *
   * @returns the dropped minutes
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
    if (clean) this.#unpublished = false;
    return dropped;
  }
}

/** Returns the number of the present minute since 1970. */
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
