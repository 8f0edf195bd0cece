import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { utcMonth } from '../../../schemas/base/time.ts';
import { keyModeSchema } from '../../../schemas/limiter/keys.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { EngineFullError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
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
} from '../../../topics/ports/limiter.ts';
import { PERSISTED_FROM_MS } from './counters.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { GroupCommit } from './group-commit.ts';
import { LimiterCard, minuteOf } from './limiter-card.ts';
import { LimiterJournal, type LimiterWindow } from './limiter-journal.ts';
import { WindowCounts } from './window-counts.ts';

const ENGINE = 'rate limiter';

/** The name of the only memory there is: statuses live and end with the process. */
const MEMORY = 'process';

/**
 * Windows under an hour in memory, of all accounts together; each account has a limit of its own. When all are live, further
 * windows are kept on the disk.
 */
export const SHORT_WINDOWS_MAX = 1_000_000;

/** Idempotency-Keys that are remembered at once. When all are live, an account keeps only {@link REMEMBERED_A_TENANT}. */
const REMEMBERED_MAX = 250_000;

/** Idempotency-Keys of one account that are remembered, however many the other accounts have: what one key may send in two minutes. */
const REMEMBERED_A_TENANT = 2_000;

/** How much the limiter keeps in memory. */
export interface LimiterRoom {
  readonly shortWindowsMax: number;
  readonly rememberedMax: number;
  readonly rememberedSure: number;
}

const ROOM: LimiterRoom = {
  shortWindowsMax: SHORT_WINDOWS_MAX,
  rememberedMax: REMEMBERED_MAX,
  rememberedSure: REMEMBERED_A_TENANT,
};

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
 * shorter windows, statuses and remembered Idempotency-Keys live in memory. An orderly stop writes the shorter windows, too;
 * after any other one such a window has the count of the last orderly stop, if it began before that.
 */
export class EmbeddedLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #journal: LimiterJournal;
  readonly #cards = new Map<string, LimiterCard>();
  /** Those under an hour for which there was room; the others are the journal's. */
  readonly #windows: ExpiringMap<LimiterWindow>;
  readonly #windowCounts = new WindowCounts();
  /** When the last of the windows under an hour ends that are the journal's. Unix milliseconds. */
  #spilledUntil = 0;
  readonly #remembered: ExpiringMap<Remembered>;
  readonly #rememberedCounts = new WindowCounts();
  readonly #rememberedSure: number;

  /** @param room how much is kept in memory; absent: the bounds of a service */
  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock, room = ROOM) {
    this.#clock = clock;
    this.#windows = new ExpiringMap(ENGINE, room.shortWindowsMax);
    this.#remembered = new ExpiringMap(ENGINE, room.rememberedMax);
    this.#rememberedSure = room.rememberedSure;
    const now = clock.now();
    this.#journal = new LimiterJournal(database, writer);
    this.#journal.restore((key) => this.#cardOf(key));
    this.#journal.eachWindow(now, (name, window) => {
      const { account, windowMs } = namedWindow(name);
      this.#windowCounts.add(account, window.resetAt, windowMs);
      if (windowMs >= PERSISTED_FROM_MS) return;
      if (this.#windows.hasRoomFor(name, now)) this.#windows.set(name, window);
      else this.#spilledUntil = Math.max(this.#spilledUntil, window.resetAt);
    });
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

  /**
   * Writes the windows under an hour, so that an orderly stop loses none. What cannot be written begins anew, as after a stop
   * that was none.
   */
  async close(): Promise<void> {
    try {
      await this.#journal.writeWindows(this.#windows.live(this.#clock.now()));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
    }
  }

  /** Deletes at most `max` windows that are over, and as many keys that are not used any more. Returns how many, the larger. */
  async sweep(now: number, max: number): Promise<number> {
    this.#windowCounts.sweep(now);
    this.#rememberedCounts.sweep(now);
    const forgotten = await this.#forgetCards(now, max);
    return Math.max(forgotten, await this.#journal.sweep(now, max));
  }

  async #forgetCards(now: number, max: number): Promise<number> {
    const forgotten: LimiterCard[] = [];
    for (const [name, card] of this.#cards) {
      if (forgotten.length === max) break;
      if (!card.isForgettable(now)) continue;
      // What is counted from now on begins with another card, and is written after this.
      this.#cards.delete(name);
      forgotten.push(card);
    }
    if (forgotten.length > 0) await this.#journal.dropCards(forgotten);
    return forgotten.length;
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

  /** Of what is needed everything is there, or nothing is changed. */
  #count(check: Check, card: LimiterCard, now: number): CheckResult {
    const { account, limit, windowMs, cost, mode, quota } = check;
    const name = windowName(check);
    const held = this.#window(name, windowMs, now);
    const { used, resetAt } = held ?? { used: 0, resetAt: now + windowMs };
    const made = { mode, incarnation: randomUUID() };
    if (cost === 0) {
      card.count('looked', now, made);
      const look = { allowed: used < limit, remaining: Math.max(0, limit - used), resetAt };
      return answered(look, card, quota, now);
    }
    const allowed = used + cost <= limit;
    if (held === undefined && allowed) {
      const { live, next } = this.#windowCounts.of(account, now);
      if (live >= check.windowsMax) {
        card.count('refused', now, made);
        const quotas = card.quotasLeft(quota, now);
        return { kind: 'windows-exhausted', retryAfterMs: next - now, quotas, now };
      }
    }
    const answer = { allowed, remaining: Math.max(0, limit - used - (allowed ? cost : 0)), resetAt };
    this.#remember(check, answer, now);
    if (held === undefined && allowed) this.#windowCounts.add(account, resetAt, windowMs);
    if (allowed) this.#keepWindow(name, { used: used + cost, resetAt }, { windowMs, now });
    card.count(allowed ? 'allowed' : 'denied', now, made);
    if (quota.month !== null) card.usedInMonth += 1;
    return answered(answer, card, quota, now);
  }

  /**
   * Remembers an answer. An account may use all the room that is free, and always has a sure share.
   *
   * @throws {EngineFullError} when there is no room; nothing was changed then.
   */
  #remember({ idempotency, ...check }: Check, answer: Taken, now: number): void {
    if (idempotency === null) return;
    const name = rememberedName(check, idempotency.digest);
    const { live } = this.#rememberedCounts.of(check.account, now);
    if (!this.#remembered.hasRoomFor(name, now) && live >= this.#rememberedSure) {
      throw new EngineFullError(ENGINE);
    }
    const { inputDigest } = idempotency;
    const resetAt = now + CHECK_REMEMBERED_MS;
    this.#remembered.set(name, { inputDigest, answer, resetAt });
    this.#rememberedCounts.add(check.account, resetAt, CHECK_REMEMBERED_MS);
  }

  #window(name: string, windowMs: number, now: number): LimiterWindow | undefined {
    if (windowMs < PERSISTED_FROM_MS) {
      const held = this.#windows.get(name, now);
      if (held !== undefined || now >= this.#spilledUntil) return held;
    }
    const kept = this.#journal.window(name);
    return kept !== undefined && kept.resetAt > now ? kept : undefined;
  }

  /** Keeps a window where it is; a new one under an hour in memory if there is room, and else on the disk. */
  #keepWindow(name: string, window: LimiterWindow, at: { readonly windowMs: number; readonly now: number }) {
    if (at.windowMs >= PERSISTED_FROM_MS) {
      this.#journal.keepWindow(name, window);
    } else if (!this.#isSpilled(name, at.now) && this.#windows.hasRoomFor(name, at.now)) {
      this.#windows.set(name, window);
    } else {
      this.#spilledUntil = Math.max(this.#spilledUntil, window.resetAt);
      this.#journal.keepWindow(name, window);
    }
  }

  /** Whether the disk holds a live window under an hour that memory does not hold. */
  #isSpilled(name: string, now: number): boolean {
    if (now >= this.#spilledUntil || this.#windows.get(name, now) !== undefined) return false;
    const kept = this.#journal.window(name);
    return kept !== undefined && kept.resetAt > now;
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

const windowNameSchema = z.tuple([z.string(), keyModeSchema, z.number(), z.string(), z.string()]);

/** What {@link windowName} was made of, as far as it is counted. */
function namedWindow(name: string): Pick<Check, 'account' | 'windowMs'> {
  const [account, , windowMs] = windowNameSchema.parse(JSON.parse(name));
  return { account, windowMs };
}

function rememberedName({ account, keyId }: LimiterKey, digest: string): string {
  return JSON.stringify([account, keyId, digest]);
}
