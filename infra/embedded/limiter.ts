import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { utcMonth } from '../../schemas/base/time.ts';
import type { Clock } from '../../topics/ports/clock.ts';
import {
  CHECK_REMEMBERED_MS,
  type Check,
  type CheckResult,
  type KeyStatus,
  type KeyStatusEntry,
  type Limiter,
  type LimiterKey,
  type MonthUse,
  type UsageCount,
} from '../../topics/ports/limiter.ts';
import { LIVE_WINDOWS_MAX, PERSISTED_FROM_MS } from './counters.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { GroupCommit } from './group-commit.ts';
import { LimiterCard, minuteOf } from './limiter-card.ts';
import { LimiterJournal, type LimiterWindow } from './limiter-journal.ts';

const ENGINE = 'rate limiter';

/** The name of the only memory there is: statuses live and end with the process. */
const MEMORY = 'process';

/** Idempotency-Keys that are remembered at once; when all are live, checks with a new one are refused. */
const REMEMBERED_MAX = 250_000;

/** What a repeat is answered, but for what depends on the moment. */
interface Remembered {
  readonly inputDigest: string;
  readonly answer: Taken;
  /** When it is forgotten. */
  readonly resetAt: number;
}

interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAt: number;
}

/**
 * The limiter of one process. Months, usage, and windows of an hour or longer are on the disk before a check is answered;
 * shorter windows, statuses and remembered Idempotency-Keys live in memory.
 */
export class EmbeddedLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #journal: LimiterJournal;
  readonly #cards = new Map<string, LimiterCard>();
  readonly #windows = new ExpiringMap<LimiterWindow>(ENGINE, LIVE_WINDOWS_MAX);
  readonly #remembered = new ExpiringMap<Remembered>(ENGINE, REMEMBERED_MAX);

  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock) {
    this.#clock = clock;
    this.#journal = new LimiterJournal(database, writer);
    this.#journal.restore((key) => this.#cardOf(key));
  }

  async check(check: Check): Promise<CheckResult> {
    const now = this.#clock.now();
    const card = this.#cards.get(cardName(check));
    const status = card?.statusAt(now) ?? null;
    if (card === undefined || status === null) return { kind: 'status-missing', memory: MEMORY };
    if (status !== 'active') return { kind: status };
    if (check.quota.month !== null) {
      const month = later(card.month, utcMonth(now));
      if (card.month !== month) return { kind: 'month-missing', month };
    }
    const repeated = this.#repeat(check, card, now);
    if (repeated !== null) return repeated;
    const result = this.#refuse(check, card, now) ?? this.#count(check, card, now);
    await this.#journal.keepCard(card, [minuteOf(now)]);
    return result;
  }

  async putKeyStatus({ status, version, ...key }: KeyStatusEntry): Promise<void> {
    this.#cardOf(key).putStatus(status, version, this.#clock.now());
  }

  async readKeyStatus(key: LimiterKey): Promise<KeyStatus | null> {
    return this.#cards.get(cardName(key))?.statusAt(this.#clock.now()) ?? null;
  }

  async fillMonth({ month, used, ...key }: MonthUse): Promise<void> {
    const card = this.#cardOf(key);
    if (card.month !== null && card.month >= month) return;
    card.month = month;
    card.usedInMonth = used;
    await this.#journal.keepCard(card, []);
  }

  async pendingUsage(limit: number): Promise<UsageCount[]> {
    const now = this.#clock.now();
    const counts: UsageCount[] = [];
    let room = limit;
    for (const card of this.#cards.values()) {
      if (room === 0) break;
      const offered = card.offer(now);
      if (offered === null) continue;
      room -= 1;
      counts.push(...offered);
    }
    return counts;
  }

  async usagePublished(counts: readonly UsageCount[]): Promise<void> {
    const now = this.#clock.now();
    for (const [name, ofKey] of Map.groupBy(counts, cardName)) {
      const card = this.#cards.get(name);
      if (card !== undefined) await this.#journal.keepCard(card, card.published(ofKey, now));
    }
  }

  /** Deletes at most `max` windows that are over. Returns how many. */
  async sweep(now: number, max: number): Promise<number> {
    return this.#journal.sweep(now, max);
  }

  #cardOf(key: LimiterKey): LimiterCard {
    const name = cardName(key);
    const held = this.#cards.get(name);
    if (held !== undefined) return held;
    const card = new LimiterCard({ account: key.account, keyId: key.keyId });
    this.#cards.set(name, card);
    return card;
  }

  #repeat({ idempotency, quota, ...check }: Check, card: LimiterCard, now: number): CheckResult | null {
    if (idempotency === null) return null;
    const held = this.#remembered.get(rememberedName(check, idempotency.digest), now);
    if (held === undefined) return null;
    if (held.inputDigest !== idempotency.inputDigest) return { kind: 'idempotency-conflict' };
    return answered(held.answer, card, quota, now);
  }

  /** The key's own quotas, the month first. */
  #refuse({ quota, mode, cost }: Check, card: LimiterCard, now: number): CheckResult | null {
    const quotas = card.quotasLeft(quota, now);
    const refuse = (scope: 'minute' | 'month', end: number): CheckResult => {
      if (cost > 0) card.count('refused', now, { mode, incarnation: randomUUID() });
      return { kind: 'quota-exceeded', scope, retryAfterMs: end - now, quotas, now };
    };
    // A call that only looks is not stopped by the month.
    if (quotas.month?.remaining === 0 && cost > 0) return refuse('month', quotas.month.resetAt);
    return quotas.minute.remaining === 0 ? refuse('minute', quotas.minute.resetAt) : null;
  }

  #count(check: Check, card: LimiterCard, now: number): CheckResult {
    const { limit, windowMs, cost, mode, quota, idempotency } = check;
    const name = windowName(check);
    const remembered = idempotency === null ? null : rememberedName(check, idempotency.digest);
    this.#windows.makeRoomFor(name, now);
    if (remembered !== null) this.#remembered.makeRoomFor(remembered, now);
    const { used, resetAt } = this.#window(name, windowMs, now) ?? { used: 0, resetAt: now + windowMs };
    const made = { mode, incarnation: randomUUID() };
    if (cost === 0) {
      card.count('looked', now, made);
      const look = { allowed: used < limit, remaining: Math.max(0, limit - used), resetAt };
      return answered(look, card, quota, now);
    }
    const allowed = used + cost <= limit;
    if (allowed) this.#keepWindow(name, { used: used + cost, resetAt }, windowMs);
    card.count(allowed ? 'allowed' : 'denied', now, made);
    if (quota.month !== null) card.usedInMonth += 1;
    const answer = { allowed, remaining: Math.max(0, limit - used - (allowed ? cost : 0)), resetAt };
    if (idempotency !== null && remembered !== null) {
      const { inputDigest } = idempotency;
      this.#remembered.set(remembered, { inputDigest, answer, resetAt: now + CHECK_REMEMBERED_MS });
    }
    return answered(answer, card, quota, now);
  }

  #window(name: string, windowMs: number, now: number): LimiterWindow | undefined {
    const held = this.#windows.get(name, now);
    if (held !== undefined || windowMs < PERSISTED_FROM_MS) return held;
    const kept = this.#journal.window(name);
    return kept !== undefined && kept.resetAt > now ? kept : undefined;
  }

  #keepWindow(name: string, window: LimiterWindow, windowMs: number): void {
    this.#windows.set(name, window);
    if (windowMs >= PERSISTED_FROM_MS) this.#journal.keepWindow(name, window);
  }
}

function answered(taken: Taken, card: LimiterCard, quota: Check['quota'], now: number): CheckResult {
  return {
    kind: 'answered',
    ...taken,
    retryAfterMs: taken.allowed ? 0 : Math.max(0, taken.resetAt - now),
    quotas: card.quotasLeft(quota, now),
    now,
  };
}

/** Months only go forward, also when the clock does not. */
function later(held: string | null, month: string): string {
  return held !== null && held > month ? held : month;
}

function cardName({ account, keyId }: LimiterKey): string {
  return JSON.stringify([account, keyId]);
}

function windowName({ account, mode, windowMs, namespace, identifier }: Check): string {
  return JSON.stringify([account, mode, windowMs, namespace, identifier]);
}

function rememberedName({ account, keyId }: LimiterKey, digest: string): string {
  return JSON.stringify([account, keyId, digest]);
}
