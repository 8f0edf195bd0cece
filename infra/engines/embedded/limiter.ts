import type { DatabaseSync } from 'node:sqlite';
import { utcMonth } from '../../../schemas/base/time.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { EngineFullError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import {
  type AccountWindow,
  type AskedCheck,
  type Check,
  type CheckEntry,
  type CheckingKey,
  type CheckResult,
  type ChecksResult,
  type DeniedWindows,
  type EachAnswered,
  type EachResult,
  type KeyStatus,
  type KeyStatusEntry,
  type KeyUndecided,
  type Limiter,
  type LimiterKey,
  type MonthUse,
  mostDenied,
  ofOneEntry,
  type RunningWindow,
  type StatusMissing,
  type UsageCount,
} from '../../../topics/ports/limiter.ts';
import { PERSISTED_FROM_MS } from './counters.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { GroupCommit } from './group-commit.ts';
import { Calls } from './limiter-calls.ts';
import { LimiterJournal } from './limiter-journal.ts';
import { LimiterKeyState, minuteOf } from './limiter-key-state.ts';
import { nameInFull, parsedName, stateName, windowName } from './limiter-names.ts';
import { REMEMBERED_ROOM, RememberedAnswers, type RememberedRoom, type Taken } from './remembered-answers.ts';
import { WindowCounts } from './window-counts.ts';

const ENGINE = 'rate limiter';

/** Names the process's memory: statuses are valid until the process ends. */
const STATUS_MISSING: StatusMissing = { kind: 'status-missing', memory: 'process' };

/**
 * Windows under an hour in memory, of all accounts together; each account has a separate limit. If all are live,
 * further windows are kept on the disk.
 */
export const SHORT_WINDOWS_MAX = 1_000_000;

/** Bounds of the limiter's memory. */
export interface LimiterRoom extends RememberedRoom {
  readonly shortWindowsMax: number;
}

const ROOM: LimiterRoom = { ...REMEMBERED_ROOM, shortWindowsMax: SHORT_WINDOWS_MAX };

/** A window that was reset, on the disk. Its end lies before every time of the clock, which may be set back. */
const ENDED: RunningWindow = { used: 0, resetAt: 0 };

/** A call that was decided, by its key or by its windows. */
type Decided = Exclude<ChecksResult, KeyUndecided>;

/** An entry, with its window as it stands. */
interface Held extends CheckEntry {
  readonly name: string;
  readonly used: number;
  readonly resetAt: number;
  /** True if no such window is running: an entry that costs something would begin it. */
  readonly isNew: boolean;
  readonly isOnDisk: boolean;
  readonly fits: boolean;
}

/** A live window, if there is one, and where it has to be written. */
interface Found {
  readonly window: RunningWindow | undefined;
  /** False: into memory, or to the disk once the memory is full. */
  readonly isOnDisk: boolean;
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
  readonly #windows: ExpiringMap<RunningWindow>;
  readonly #windowCounts = new WindowCounts();
  /** Unix milliseconds at which the last window under an hour in the journal ends. */
  #spilledUntil = 0;
  readonly #remembered: RememberedAnswers;

  /** @param room bounds of the memory; those of a service by default */
  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock, room = ROOM) {
    this.#clock = clock;
    this.#windows = new ExpiringMap(ENGINE, room.shortWindowsMax);
    this.#remembered = new RememberedAnswers(ENGINE, room);
    const now = clock.now();
    this.#journal = new LimiterJournal(database, writer);
    this.#journal.restore((key) => this.#stateOf(key));
    this.#journal.renameWindows((name) => windowName(parsedName(name)));
    this.#journal.eachWindow(now, (name, window) => {
      const { account, windowMs } = parsedName(name);
      this.#windowCounts.add(account, window.resetAt, windowMs);
      if (windowMs >= PERSISTED_FROM_MS) return;
      if (this.#windows.hasRoomFor(name, now)) this.#windows.set(name, window);
      else this.#spilledUntil = Math.max(this.#spilledUntil, window.resetAt);
    });
  }

  async check(check: Check): Promise<CheckResult> {
    return ofOneEntry(await this.checkAll(check, [check]));
  }

  async checkAll(key: CheckingKey, entries: readonly CheckEntry[]): Promise<ChecksResult> {
    const now = this.#clock.now();
    const state = this.#usableState(key, now);
    if ('kind' in state) return state;
    const result = this.#decide(key, entries, state, now);
    // The count of a repeated call may still wait for the disk, or its transaction may have failed.
    await this.#journal.keepState(state, [minuteOf(now)]);
    return result;
  }

  async checkEach(
    key: Omit<CheckingKey, 'idempotency'>,
    calls: readonly AskedCheck[],
  ): Promise<EachAnswered | KeyUndecided> {
    const now = this.#clock.now();
    const state = this.#usableState(key, now);
    if ('kind' in state) return state;
    const results = calls.map((call): EachResult => {
      try {
        return ofOneEntry(this.#decide({ ...key, idempotency: call.idempotency }, [call], state, now));
      } catch (error) {
        if (error instanceof EngineFullError) return { kind: 'no-room' };
        throw error;
      }
    });
    await this.#journal.keepState(state, [minuteOf(now)]);
    return { kind: 'each-answered', results, quotas: state.quotasLeft(key.quota, now), now };
  }

  /** Returns the state of a key that may be used and whose calls of the month are known. */
  #usableState(
    key: Omit<CheckingKey, 'idempotency'>,
    now: number,
  ): LimiterKeyState | Exclude<KeyUndecided, { kind: 'share-full' }> {
    const state = this.#states.get(stateName(key));
    const status = state?.statusAt(now) ?? null;
    if (state === undefined || status === null) return STATUS_MISSING;
    if (status !== 'active') return { kind: status };
    if (key.quota.month === null) return state;
    const month = later(state.month, utcMonth(now));
    return state.month === month ? state : { kind: 'month-missing', month };
  }

  /** @throws {EngineFullError} if there is no room for the Idempotency-Key; nothing was changed then */
  #decide(key: CheckingKey, entries: readonly CheckEntry[], state: LimiterKeyState, now: number): Decided {
    const repeated = this.#repeat(key, state, now);
    if (repeated !== null) return repeated;
    const calls = new Calls(key, entries, state, now);
    return calls.refuseByQuota() ?? this.#count(calls);
  }

  async readWindow(window: AccountWindow): Promise<RunningWindow | null> {
    return this.#window(windowName(window), window.windowMs, this.#clock.now()) ?? null;
  }

  async endWindow(window: AccountWindow): Promise<boolean> {
    const now = this.#clock.now();
    const { account, windowMs } = window;
    const name = windowName(window);
    const held = this.#window(name, windowMs, now);
    if (held === undefined) return false;
    this.#windowCounts.remove(account, held.resetAt, windowMs);
    this.#windows.delete(name);
    // An orderly stop may have written a window that is in memory.
    if (this.#journal.window(name) !== undefined) this.#journal.keepWindow(name, ENDED);
    await this.#journal.written();
    return true;
  }

  async putKeyStatus(entry: KeyStatusEntry): Promise<void> {
    this.#stateOf(entry).putStatus(entry, this.#clock.now());
  }

  async readKeyStatus(key: LimiterKey): Promise<KeyStatus | StatusMissing> {
    return this.#states.get(stateName(key))?.statusAt(this.#clock.now()) ?? STATUS_MISSING;
  }

  async deniedWindows(key: LimiterKey): Promise<DeniedWindows> {
    const now = this.#clock.now();
    const { since, counts } = this.#states.get(stateName(key))?.denied.read(now) ?? {
      since: now,
      counts: [],
    };
    return { since, windows: mostDenied(counts, parsedName) };
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

  /**
   * Deletes at most `max` windows that have ended in memory, as many on the disk, as many Idempotency-Keys, and as many states of
   * unused keys. Returns the largest number.
   */
  async sweep(now: number, max: number): Promise<number> {
    this.#windowCounts.sweep(now);
    const ended = Math.max(this.#windows.sweep(now, max), this.#remembered.sweep(now, max));
    const forgotten = await this.#dropUnused(now, max);
    return Math.max(ended, forgotten, await this.#journal.sweep(now, max));
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

  #repeat(key: CheckingKey, state: LimiterKeyState, now: number): Decided | null {
    const held = this.#remembered.get(key, now);
    if (held === undefined) return null;
    if (held.inputDigest !== key.idempotency?.inputDigest) return { kind: 'idempotency-conflict' };
    return answered(held.answers, state, key.quota, now);
  }

  /** Checks every bound before it changes anything. */
  #count(calls: Calls): Decided {
    const { key, state, now } = calls;
    const entries = calls.entries.map((entry) => this.#held(key, entry, now));
    const fits = entries.every((entry) => entry.fits);
    const begun = fits ? entries.filter(({ isNew, cost }) => isNew && cost > 0) : [];
    const { live, next } = this.#windowCounts.of(key.account, now);
    if (begun.length > 0 && live + begun.length > key.windowsMax) {
      calls.count('refused');
      const retryAfterMs = Number.isFinite(next) ? next - now : 0;
      return { kind: 'windows-exhausted', retryAfterMs, quotas: state.quotasLeft(key.quota, now), now };
    }
    const answers = entries.map(
      ({ used, limit, cost, resetAt, fits: allowed }): Taken => ({
        allowed,
        remaining: Math.max(0, limit - used - (fits ? cost : 0)),
        resetAt,
      }),
    );
    if (calls.costing > 0) this.#remembered.add(key, answers, now);
    for (const { resetAt, windowMs } of begun) this.#windowCounts.add(key.account, resetAt, windowMs);
    const costing = entries.filter(({ cost }) => cost > 0);
    if (fits) for (const entry of costing) this.#take(entry, now);
    else
      for (const entry of costing.filter(({ fits: isLetIn }) => !isLetIn)) {
        state.denied.add(nameInFull({ ...entry, ...key }), now);
      }
    calls.count(fits ? 'allowed' : 'denied');
    calls.countPeeks();
    if (key.quota.month !== null) state.usedInMonth += calls.costing;
    return answered(answers, state, key.quota, now);
  }

  #held({ account, mode }: CheckingKey, entry: CheckEntry, now: number): Held {
    const name = windowName({ ...entry, account, mode });
    const { window, isOnDisk } = this.#find(name, entry.windowMs, now);
    const { used, resetAt } = window ?? { used: 0, resetAt: now + entry.windowMs };
    // A peek says if a call of cost 1 would be let through.
    const fits = used + Math.max(entry.cost, 1) <= entry.limit;
    return { ...entry, name, used, resetAt, isNew: window === undefined, isOnDisk, fits };
  }

  /** Writes a window where it is; a new one under an hour into memory if there is room, and else to the disk. It reads nothing. */
  #take({ name, used, cost, resetAt, isOnDisk }: Held, now: number): void {
    const window = { used: used + cost, resetAt };
    if (!isOnDisk && this.#windows.hasRoomFor(name, now)) {
      this.#windows.set(name, window);
      return;
    }
    if (!isOnDisk) this.#spilledUntil = Math.max(this.#spilledUntil, resetAt);
    this.#journal.keepWindow(name, window);
  }

  #window(name: string, windowMs: number, now: number): RunningWindow | undefined {
    return this.#find(name, windowMs, now).window;
  }

  #find(name: string, windowMs: number, now: number): Found {
    const isShort = windowMs < PERSISTED_FROM_MS;
    if (isShort) {
      const held = this.#windows.get(name, now);
      if (held !== undefined || now >= this.#spilledUntil) return { window: held, isOnDisk: false };
    }
    const kept = this.#journal.window(name);
    const window = kept !== undefined && kept.resetAt > now ? kept : undefined;
    return { window, isOnDisk: !isShort || window !== undefined };
  }
}

function answered(
  answers: readonly Taken[],
  state: LimiterKeyState,
  quota: CheckingKey['quota'],
  now: number,
): Decided {
  const entries = answers.map(({ allowed, remaining, resetAt }) => ({
    allowed,
    remaining,
    resetAt,
    retryAfterMs: allowed ? 0 : Math.max(0, resetAt - now),
  }));
  const allowed = entries.every((entry) => entry.allowed);
  return { kind: 'answered', allowed, entries, quotas: state.quotasLeft(quota, now), now };
}

/** Returns the later month, so that months never go back with the clock. */
function later(held: string | null, month: string): string {
  return held !== null && held > month ? held : month;
}
