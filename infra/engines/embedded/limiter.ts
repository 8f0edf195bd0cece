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
  type DeniedWindows,
  type KeyStatus,
  type KeyStatusEntry,
  type Limiter,
  type LimiterKey,
  type MonthUse,
  mostDenied,
  type UsageCount,
} from '../../../topics/ports/limiter.ts';
import { PERSISTED_FROM_MS } from './counters.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { GroupCommit } from './group-commit.ts';
import { LimiterJournal, type LimiterWindow } from './limiter-journal.ts';
import { LimiterKeyState, minuteOf } from './limiter-key-state.ts';
import { WindowCounts } from './window-counts.ts';

const ENGINE = 'rate limiter';

/** The name of the process's memory: statuses are valid until the process ends. */
const MEMORY = 'process';

/**
 * Windows under an hour in memory, of all accounts together; each account has a separate limit. If all are live,
 * further windows are kept on the disk.
 */
export const SHORT_WINDOWS_MAX = 1_000_000;

/** Stored Idempotency-Keys. If all are live, an account may store only {@link REMEMBERED_A_TENANT}. */
const REMEMBERED_MAX = 250_000;

/** Idempotency-Keys reserved for one account: the requests that one key may send in two minutes. */
const REMEMBERED_A_TENANT = 2_000;

/** Bounds of the limiter's memory. */
export interface LimiterRoom {
  readonly shortWindowsMax: number;
  readonly rememberedMax: number;
  readonly rememberedGuaranteed: number;
}

const ROOM: LimiterRoom = {
  shortWindowsMax: SHORT_WINDOWS_MAX,
  rememberedMax: REMEMBERED_MAX,
  rememberedGuaranteed: REMEMBERED_A_TENANT,
};

/** The stored answer of an Idempotency-Key, without the quotas, which change. */
interface Remembered {
  readonly inputDigest: string;
  readonly answer: Taken;
  /** Unix milliseconds at which it is dropped. */
  readonly resetAt: number;
}

interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAt: number;
}

/**
 * The limiter of one process. Months, usage, and windows of an hour or longer are on the disk before a check is
 * answered. Shorter windows, statuses and Idempotency-Keys are in memory. An orderly stop writes the shorter windows,
 * too. After any other stop, such a window has the count of the last orderly stop, if it began before that.
 */
export class EmbeddedLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #journal: LimiterJournal;
  readonly #states = new Map<string, LimiterKeyState>();
  /** Windows under an hour in memory. The journal keeps those beyond its bound. */
  readonly #windows: ExpiringMap<LimiterWindow>;
  readonly #windowCounts = new WindowCounts();
  /** Unix milliseconds at which the last window under an hour in the journal ends. */
  #spilledUntil = 0;
  readonly #remembered: ExpiringMap<Remembered>;
  readonly #rememberedCounts = new WindowCounts();
  readonly #rememberedGuaranteed: number;

  /** @param room bounds of the memory; those of a service by default */
  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock, room = ROOM) {
    this.#clock = clock;
    this.#windows = new ExpiringMap(ENGINE, room.shortWindowsMax);
    this.#remembered = new ExpiringMap(ENGINE, room.rememberedMax);
    this.#rememberedGuaranteed = room.rememberedGuaranteed;
    const now = clock.now();
    this.#journal = new LimiterJournal(database, writer);
    this.#journal.restore((key) => this.#stateOf(key));
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
    const state = this.#states.get(stateName(check));
    const status = state?.statusAt(now) ?? null;
    if (state === undefined || status === null) return { kind: 'status-missing', memory: MEMORY };
    if (status !== 'active') return { kind: status };
    if (check.quota.month !== null) {
      const month = later(state.month, utcMonth(now));
      if (state.month !== month) return { kind: 'month-missing', month };
    }
    const repeated = this.#repeat(check, state, now);
    if (repeated !== null) return repeated;
    const result = this.#checkQuotas(check, state, now) ?? this.#count(check, state, now);
    await this.#journal.keepState(state, [minuteOf(now)]);
    return result;
  }

  async putKeyStatus(entry: KeyStatusEntry): Promise<void> {
    this.#stateOf(entry).putStatus(entry, this.#clock.now());
  }

  async readKeyStatus(key: LimiterKey): Promise<KeyStatus | null> {
    return this.#states.get(stateName(key))?.statusAt(this.#clock.now()) ?? null;
  }

  async deniedWindows(key: LimiterKey): Promise<DeniedWindows> {
    const now = this.#clock.now();
    const { since, counts } = this.#states.get(stateName(key))?.denied.read(now) ?? {
      since: now,
      counts: [],
    };
    return { since, windows: mostDenied(counts, namedWindow) };
  }

  async fillMonth({ month, used, ...key }: MonthUse): Promise<void> {
    const state = this.#stateOf(key);
    if (state.month !== null && state.month >= month) return;
    state.month = month;
    state.usedInMonth = used;
    await this.#journal.keepState(state, []);
  }

  async pendingUsage(limit: number): Promise<UsageCount[]> {
    const now = this.#clock.now();
    const counts: UsageCount[] = [];
    let room = limit;
    for (const state of this.#states.values()) {
      if (room === 0) break;
      const offered = state.offer(now);
      if (offered === null) continue;
      room -= 1;
      counts.push(...offered);
    }
    return counts;
  }

  async usagePublished(counts: readonly UsageCount[]): Promise<void> {
    const now = this.#clock.now();
    for (const [name, ofKey] of Map.groupBy(counts, stateName)) {
      const state = this.#states.get(name);
      if (state !== undefined) await this.#journal.keepState(state, state.published(ofKey, now));
    }
  }

  /**
   * Writes the windows under an hour, so that an orderly stop loses none. Windows that cannot be written restart, as
   * after a crash.
   */
  async close(): Promise<void> {
    try {
      await this.#journal.writeWindows(this.#windows.live(this.#clock.now()));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
    }
  }

  /** Deletes at most `max` windows that have ended, and as many states of unused keys. Returns the larger number. */
  async sweep(now: number, max: number): Promise<number> {
    this.#windowCounts.sweep(now);
    this.#rememberedCounts.sweep(now);
    const forgotten = await this.#dropUnused(now, max);
    return Math.max(forgotten, await this.#journal.sweep(now, max));
  }

  async #dropUnused(now: number, max: number): Promise<number> {
    const forgotten: LimiterKeyState[] = [];
    for (const [name, state] of this.#states) {
      if (forgotten.length === max) break;
      if (!state.isDroppable(now)) continue;
      // Later counts begin with a new state, and are written after this deletion.
      this.#states.delete(name);
      forgotten.push(state);
    }
    if (forgotten.length > 0) await this.#journal.dropStates(forgotten);
    return forgotten.length;
  }

  #stateOf(key: LimiterKey): LimiterKeyState {
    const name = stateName(key);
    const held = this.#states.get(name);
    if (held !== undefined) return held;
    const state = new LimiterKeyState({ account: key.account, keyId: key.keyId });
    this.#states.set(name, state);
    return state;
  }

  #repeat({ idempotency, quota, ...check }: Check, state: LimiterKeyState, now: number): CheckResult | null {
    if (idempotency === null) return null;
    const held = this.#remembered.get(rememberedName(check, idempotency.digest), now);
    if (held === undefined) return null;
    if (held.inputDigest !== idempotency.inputDigest) return { kind: 'idempotency-conflict' };
    return answered(held.answer, state, quota, now);
  }

  /** Rejects a call beyond the key's quotas; the month is checked first. */
  #checkQuotas({ quota, mode, cost }: Check, state: LimiterKeyState, now: number): CheckResult | null {
    const quotas = state.quotasLeft(quota, now);
    const refuse = (scope: 'minute' | 'month', end: number): CheckResult => {
      if (cost > 0) state.count('refused', now, { mode, incarnation: randomUUID() });
      return { kind: 'quota-exceeded', scope, retryAfterMs: end - now, quotas, now };
    };
    // A peek is not stopped by the month.
    if (quotas.month?.remaining === 0 && cost > 0) return refuse('month', quotas.month.resetAt);
    return quotas.minute.remaining === 0 ? refuse('minute', quotas.minute.resetAt) : null;
  }

  /** Checks every bound before it changes anything. */
  #count(check: Check, state: LimiterKeyState, now: number): CheckResult {
    const { account, limit, windowMs, cost, mode, quota } = check;
    const name = windowName(check);
    const held = this.#window(name, windowMs, now);
    const { used, resetAt } = held ?? { used: 0, resetAt: now + windowMs };
    const made = { mode, incarnation: randomUUID() };
    if (cost === 0) {
      state.count('peeks', now, made);
      const look = { allowed: used < limit, remaining: Math.max(0, limit - used), resetAt };
      return answered(look, state, quota, now);
    }
    const allowed = used + cost <= limit;
    if (held === undefined && allowed) {
      const { live, next } = this.#windowCounts.of(account, now);
      if (live >= check.windowsMax) {
        state.count('refused', now, made);
        const quotas = state.quotasLeft(quota, now);
        return { kind: 'windows-exhausted', retryAfterMs: next - now, quotas, now };
      }
    }
    const answer = { allowed, remaining: Math.max(0, limit - used - (allowed ? cost : 0)), resetAt };
    this.#remember(check, answer, now);
    if (held === undefined && allowed) this.#windowCounts.add(account, resetAt, windowMs);
    if (allowed) this.#keepWindow(name, { used: used + cost, resetAt }, { windowMs, now });
    if (!allowed) state.denied.add(name, now);
    state.count(allowed ? 'allowed' : 'denied', now, made);
    if (quota.month !== null) state.usedInMonth += 1;
    return answered(answer, state, quota, now);
  }

  /**
   * Stores an answer. An account may use all the free room, and always has a reserved share.
   *
   * @throws {EngineFullError} if there is no room; nothing was changed then
   */
  #remember({ idempotency, ...check }: Check, answer: Taken, now: number): void {
    if (idempotency === null) return;
    const name = rememberedName(check, idempotency.digest);
    const { live } = this.#rememberedCounts.of(check.account, now);
    if (!this.#remembered.hasRoomFor(name, now) && live >= this.#rememberedGuaranteed) {
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

  /** Writes a window where it is; a new one under an hour into memory if there is room, and else to the disk. */
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

  /** True if the disk has a live window under an hour that is not in memory. */
  #isSpilled(name: string, now: number): boolean {
    if (now >= this.#spilledUntil || this.#windows.get(name, now) !== undefined) return false;
    const kept = this.#journal.window(name);
    return kept !== undefined && kept.resetAt > now;
  }
}

function answered(taken: Taken, state: LimiterKeyState, quota: Check['quota'], now: number): CheckResult {
  return {
    kind: 'answered',
    ...taken,
    retryAfterMs: taken.allowed ? 0 : Math.max(0, taken.resetAt - now),
    quotas: state.quotasLeft(quota, now),
    now,
  };
}

/** Returns the later month, so that months never go back with the clock. */
function later(held: string | null, month: string): string {
  return held !== null && held > month ? held : month;
}

function stateName({ account, keyId }: LimiterKey): string {
  return JSON.stringify([account, keyId]);
}

function windowName({ account, mode, windowMs, namespace, identifier }: Check): string {
  return JSON.stringify([account, mode, windowMs, namespace, identifier]);
}

const windowNameSchema = z.tuple([z.string(), keyModeSchema, z.number(), z.string(), z.string()]);

/** Parses a {@link windowName}. */
function namedWindow(name: string): Pick<Check, 'account' | 'windowMs' | 'namespace' | 'identifier'> {
  const [account, , windowMs, namespace, identifier] = windowNameSchema.parse(JSON.parse(name));
  return { account, windowMs, namespace, identifier };
}

function rememberedName({ account, keyId }: LimiterKey, digest: string): string {
  return JSON.stringify([account, keyId, digest]);
}
