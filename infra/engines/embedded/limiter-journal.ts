import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { keyModeSchema } from '../../../schemas/limiter/keys.ts';
import type { LimiterKey, RunningWindow } from '../../../topics/ports/limiter.ts';
import { reading } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { LimiterKeyState, MinuteCount } from './limiter-key-state.ts';

/** Windows in memory besides those that wait to be written. */
const RECENT_WINDOWS_MAX = 50_000;

/** The length of a window's key that is never a long name in full: account, mode and length of the window take about 50. */
const SHORT_KEY_CHARACTERS = 80;

/** Windows in one transaction of a bulk write: other writes wait for it. */
const WRITTEN_AT_ONCE = 5_000;

/**
 * Changes that are not on the disk yet: the minutes of key states, the values of windows. All are absolute values.
 */
interface Changes {
  readonly states: Map<LimiterKeyState, Set<number>>;
  readonly windows: Map<string, RunningWindow>;
}

/** The changes since the last transaction began, and those of failed transactions. */
interface Batch extends Changes {
  /** Settles with the transaction that writes them. */
  readonly written: Promise<void>;
}

const monthRowSchema = z.object({
  account: z.string(),
  key_id: z.string(),
  month: z.string(),
  used: z.number(),
});

const usageRowSchema = z.object({
  account: z.string(),
  key_id: z.string(),
  minute: z.number(),
  mode: keyModeSchema,
  incarnation: z.string(),
  allowed: z.number(),
  denied: z.number(),
  refused: z.number(),
  looked: z.number(),
});

const namedWindowRowSchema = z.object({ key: z.string(), used: z.number(), reset_at: z.number() });

const windowRowSchema = namedWindowRowSchema.omit({ key: true }).optional();

/** Persists the limiter's months, usage and long windows. All changes of one moment share one write. */
export class LimiterJournal {
  readonly #database: DatabaseSync;
  readonly #writer: GroupCommit;
  readonly #putMonth: StatementSync;
  readonly #putUsage: StatementSync;
  readonly #deleteUsage: StatementSync;
  readonly #deleteMonth: StatementSync;
  readonly #putWindow: StatementSync;
  readonly #getWindow: StatementSync;
  readonly #deleteOver: StatementSync;
  #batch: Batch | null = null;
  /** Windows that were read or written lately. Others are read from the disk. */
  readonly #recent = new LRUCache<string, RunningWindow>({ max: RECENT_WINDOWS_MAX });
  /** Changes of failed transactions, for the next batch. */
  #refused: Changes = { states: new Map(), windows: new Map() };

  constructor(database: DatabaseSync, writer: GroupCommit) {
    this.#database = database;
    this.#writer = writer;
    this.#putMonth = database.prepare(
      'INSERT OR REPLACE INTO limiter_month (account, key_id, month, used) VALUES (?, ?, ?, ?)',
    );
    this.#putUsage = database.prepare(
      `INSERT OR REPLACE INTO limiter_usage
       (account, key_id, minute, mode, incarnation, allowed, denied, refused, looked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#deleteUsage = database.prepare(
      'DELETE FROM limiter_usage WHERE account = ? AND key_id = ? AND minute = ?',
    );
    this.#deleteMonth = database.prepare('DELETE FROM limiter_month WHERE account = ? AND key_id = ?');
    this.#putWindow = database.prepare(
      'INSERT OR REPLACE INTO limiter_window (key, used, reset_at) VALUES (?, ?, ?)',
    );
    this.#getWindow = database.prepare('SELECT used, reset_at FROM limiter_window WHERE key = ?');
    this.#deleteOver = database.prepare(
      `DELETE FROM limiter_window WHERE key IN
       (SELECT key FROM limiter_window WHERE reset_at <= ? ORDER BY reset_at LIMIT ?)`,
    );
  }

  /** Restores the months and counts of keys. */
  restore(stateOf: (key: LimiterKey) => LimiterKeyState): void {
    for (const row of this.#database.prepare('SELECT * FROM limiter_month').all()) {
      const { account, key_id, month, used } = monthRowSchema.parse(row);
      const state = stateOf({ account, keyId: key_id });
      state.month = month;
      state.usedInMonth = used;
    }
    for (const row of this.#database.prepare('SELECT * FROM limiter_usage').all()) {
      const { account, key_id, minute, looked: peeks, ...count } = usageRowSchema.parse(row);
      stateOf({ account, keyId: key_id }).restore(minute, { ...count, peeks } satisfies MinuteCount);
    }
  }

  /** Returns the latest value of a window, written or not. */
  window(key: string): RunningWindow | undefined {
    const unwritten = this.#batch?.windows.get(key) ?? this.#refused.windows.get(key);
    const held = unwritten ?? this.#recent.get(key);
    if (held !== undefined) return held;
    const row = windowRowSchema.parse(reading('rate limiter', () => this.#getWindow.get(key)));
    if (row === undefined) return undefined;
    const window = { used: row.used, resetAt: row.reset_at };
    this.#recent.set(key, window);
    return window;
  }

  /** Renames windows that are stored under another name than `renamed` returns: an earlier version wrote long names in full. */
  renameWindows(renamed: (key: string) => string): void {
    const all = this.#database.prepare('SELECT key FROM limiter_window WHERE length(key) > ?');
    const keys = all.all(SHORT_KEY_CHARACTERS).map((row) => namedWindowRowSchema.shape.key.parse(row['key']));
    const rename = this.#database.prepare('UPDATE OR REPLACE limiter_window SET key = ? WHERE key = ?');
    this.#database.exec('BEGIN IMMEDIATE');
    for (const key of keys) rename.run(renamed(key), key);
    this.#database.exec('COMMIT');
  }

  /** Calls `each` with all live windows on the disk. */
  eachWindow(now: number, each: (key: string, window: RunningWindow) => void): void {
    const rows = this.#database.prepare('SELECT key, used, reset_at FROM limiter_window WHERE reset_at > ?');
    for (const row of rows.iterate(now)) {
      const { key, used, reset_at } = namedWindowRowSchema.parse(row);
      each(key, { used, resetAt: reset_at });
    }
  }

  /** Writes windows that {@link keepWindow} has not received, some thousand in one transaction. */
  async writeWindows(windows: Iterable<readonly [string, RunningWindow]>): Promise<void> {
    const chunk: (readonly [string, RunningWindow])[] = [];
    const write = () =>
      this.#writer.run(() => {
        for (const [key, { used, resetAt }] of chunk) this.#putWindow.run(key, used, resetAt);
      });
    for (const window of windows) {
      chunk.push(window);
      if (chunk.length < WRITTEN_AT_ONCE) continue;
      await write();
      chunk.length = 0;
    }
    if (chunk.length > 0) await write();
  }

  /** Persists these minutes and the month of a key's state. Resolves once they are on the disk. */
  keepState(state: LimiterKeyState, minutes: readonly number[]): Promise<void> {
    const { states, written } = this.#open();
    const changed = states.get(state) ?? new Set();
    for (const minute of minutes) changed.add(minute);
    states.set(state, changed);
    return written;
  }

  keepWindow(key: string, window: RunningWindow): void {
    this.#open().windows.set(key, window);
    this.#recent.set(key, window);
  }

  /** Resolves once what was kept before is on the disk. */
  async written(): Promise<void> {
    await this.#batch?.written;
  }

  /** Deletes the persisted state of keys. */
  async dropStates(states: readonly LimiterKeyState[]): Promise<void> {
    await this.#writer.run(() => {
      for (const { key, minutes } of states) {
        this.#deleteMonth.run(key.account, key.keyId);
        for (const minute of minutes.keys()) this.#deleteUsage.run(key.account, key.keyId, minute);
      }
    });
  }

  /** Deletes at most `max` windows that have ended. Returns their number. */
  async sweep(now: number, max: number): Promise<number> {
    return this.#writer.run(() => Number(this.#deleteOver.run(now, max).changes));
  }

  #open(): Batch {
    if (this.#batch !== null) return this.#batch;
    const changes = this.#refused;
    this.#refused = { states: new Map(), windows: new Map() };
    const written = this.#writer.run(() => {
      this.#batch = null;
      for (const [state, minutes] of changes.states) this.#writeState(state, minutes);
      for (const [key, { used, resetAt }] of changes.windows) this.#putWindow.run(key, used, resetAt);
    });
    const batch = { ...changes, written };
    this.#batch = batch;
    written.catch(() => this.#keepRefused(batch));
    return batch;
  }

  /**
   * Keeps the changes of a failed batch: the file was locked, or the queue full. They join the next batch, in which
   * newer values of the same windows win. Key states are read when they are written.
   */
  #keepRefused(batch: Batch): void {
    if (this.#batch === batch) this.#batch = null;
    const next = this.#batch ?? this.#refused;
    for (const [state, minutes] of batch.states) {
      next.states.set(state, new Set([...minutes, ...(next.states.get(state) ?? [])]));
    }
    for (const [key, window] of batch.windows) {
      if (!next.windows.has(key)) next.windows.set(key, window);
    }
  }

  #writeState({ key: { account, keyId }, ...state }: LimiterKeyState, changed: ReadonlySet<number>): void {
    if (state.month !== null) this.#putMonth.run(account, keyId, state.month, state.usedInMonth);
    for (const minute of changed) {
      const count = state.minutes.get(minute);
      if (count === undefined) this.#deleteUsage.run(account, keyId, minute);
      else {
        const { mode, incarnation, allowed, denied, refused, peeks } = count;
        this.#putUsage.run(account, keyId, minute, mode, incarnation, allowed, denied, refused, peeks);
      }
    }
  }
}
