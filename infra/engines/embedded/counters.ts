import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { Counters, TakeResult } from '../../../topics/ports/counters.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { GroupCommit } from './group-commit.ts';

/** Length from which a window of the limiter survives a restart: losing it would give away a whole quota. */
export const PERSISTED_FROM_MS = HOUR_MS;

/**
 * Length from which a counter's window survives a restart: a restart must not allow further guesses of a password.
 */
const COUNTER_PERSISTED_FROM_MS = 15 * MINUTE_MS;

/** Bound of the short windows. If all are live, keys without a window are rejected, not admitted. */
export const LIVE_WINDOWS_MAX = 250_000;

interface Window {
  readonly count: number;
  readonly resetAt: number;
}

interface CounterRow {
  readonly count: number;
  readonly reset_at: number;
}

/**
 * Counters of one process: short windows in memory, and windows of 15 minutes or longer in the database, durable
 * before they are answered. All windows of a key are either short or long.
 */
export class EmbeddedCounters implements Counters {
  readonly #writer: GroupCommit;
  readonly #clock: Clock;
  readonly #windows = new ExpiringMap<Window>('counters', LIVE_WINDOWS_MAX);
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #giveBack: StatementSync;
  readonly #deleteOver: StatementSync;

  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
    this.#get = database.prepare('SELECT count, reset_at FROM counter WHERE key = ?');
    this.#put = database.prepare(
      `INSERT INTO counter (key, count, reset_at) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET count = excluded.count, reset_at = excluded.reset_at`,
    );
    this.#giveBack = database.prepare(
      'UPDATE counter SET count = count - 1 WHERE key = ? AND reset_at = ? AND reset_at > ? AND count > 0',
    );
    this.#deleteOver = database.prepare(
      'DELETE FROM counter WHERE key IN (SELECT key FROM counter WHERE reset_at <= ? ORDER BY reset_at LIMIT ?)',
    );
  }

  async take(key: string, limit: number, windowMs: number): Promise<TakeResult> {
    return windowMs >= COUNTER_PERSISTED_FROM_MS
      ? this.#writer.run(() => this.#takePersisted(key, limit, windowMs))
      : this.#takeInMemory(key, limit, windowMs);
  }

  async giveBack(key: string, windowMs: number, resetAt: number): Promise<void> {
    if (windowMs >= COUNTER_PERSISTED_FROM_MS) {
      await this.#writer.run(() => this.#giveBack.run(key, resetAt, this.#clock.now()));
      return;
    }
    const held = this.#windows.get(key, this.#clock.now());
    if (held?.resetAt === resetAt && held.count > 0) {
      this.#windows.set(key, { count: held.count - 1, resetAt });
    }
  }

  /** Deletes at most `max` persisted windows that have ended. Returns their number. */
  async sweep(now: number, max: number): Promise<number> {
    return this.#writer.run(() => Number(this.#deleteOver.run(now, max).changes));
  }

  #takePersisted(key: string, limit: number, windowMs: number): TakeResult {
    const row = this.#get.get(key) as CounterRow | undefined;
    const held = row === undefined ? undefined : { count: row.count, resetAt: row.reset_at };
    const { result, next } = takeFrom(held, this.#clock.now(), limit, windowMs);
    if (next !== null) this.#put.run(key, next.count, next.resetAt);
    return result;
  }

  #takeInMemory(key: string, limit: number, windowMs: number): TakeResult {
    const now = this.#clock.now();
    this.#windows.makeRoomFor(key, now);
    const { result, next } = takeFrom(this.#windows.get(key, now), now, limit, windowMs);
    if (next !== null) this.#windows.set(key, next);
    return result;
  }
}

/** Takes one unit from a window. Returns the answer, and the new window if it changed. */
function takeFrom(
  held: Window | undefined,
  now: number,
  limit: number,
  windowMs: number,
): { result: TakeResult; next: Window | null } {
  const window = held !== undefined && held.resetAt > now ? held : { count: 0, resetAt: now + windowMs };
  const allowed = window.count < limit;
  const count = allowed ? window.count + 1 : window.count;
  return {
    result: { allowed, remaining: Math.max(0, limit - count), resetAt: window.resetAt },
    next: allowed ? { count, resetAt: window.resetAt } : null,
  };
}
