import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { keyModeSchema } from '../../../schemas/limiter/keys.ts';
import type { LimiterKey } from '../../../topics/ports/limiter.ts';
import { reading } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { LimiterCard, MinuteCount } from './limiter-card.ts';

/** Windows in memory besides those that wait to be written. */
const RECENT_WINDOWS_MAX = 50_000;

/** Windows of one transaction when many are written: other writes wait for it. */
const WRITTEN_AT_ONCE = 5_000;

/** A window of an identifier. */
export interface LimiterWindow {
  readonly used: number;
  /** Unix milliseconds at which it ends. */
  readonly resetAt: number;
}

/** Changes that are not on the disk yet: of cards the minutes, of windows the values. All of it is absolute. */
interface Changes {
  readonly cards: Map<LimiterCard, Set<number>>;
  readonly windows: Map<string, LimiterWindow>;
}

/** The changes since the last transaction began, and those of refused transactions. */
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

/** Where the limiter's months, usage and long windows outlive the process. All changes of one moment share one write. */
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
  /** Windows that were read or kept lately. The others are read from the disk. */
  readonly #recent = new LRUCache<string, LimiterWindow>({ max: RECENT_WINDOWS_MAX });
  /** Changes of refused transactions, for the next batch. */
  #refused: Changes = { cards: new Map(), windows: new Map() };

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

  /** Puts everything back that was kept of keys. */
  restore(cardOf: (key: LimiterKey) => LimiterCard): void {
    for (const row of this.#database.prepare('SELECT * FROM limiter_month').all()) {
      const { account, key_id, month, used } = monthRowSchema.parse(row);
      const card = cardOf({ account, keyId: key_id });
      card.month = month;
      card.usedInMonth = used;
    }
    for (const row of this.#database.prepare('SELECT * FROM limiter_usage').all()) {
      const { account, key_id, minute, ...count } = usageRowSchema.parse(row);
      cardOf({ account, keyId: key_id }).restore(minute, count satisfies MinuteCount);
    }
  }

  /** A window as it was kept last, written or not. */
  window(key: string): LimiterWindow | undefined {
    const unwritten = this.#batch?.windows.get(key) ?? this.#refused.windows.get(key);
    const held = unwritten ?? this.#recent.get(key);
    if (held !== undefined) return held;
    const row = windowRowSchema.parse(reading('rate limiter', () => this.#getWindow.get(key)));
    if (row === undefined) return undefined;
    const window = { used: row.used, resetAt: row.reset_at };
    this.#recent.set(key, window);
    return window;
  }

  /** Calls `each` with all windows on the disk that have not ended. */
  eachWindow(now: number, each: (key: string, window: LimiterWindow) => void): void {
    const rows = this.#database.prepare('SELECT key, used, reset_at FROM limiter_window WHERE reset_at > ?');
    for (const row of rows.iterate(now)) {
      const { key, used, reset_at } = namedWindowRowSchema.parse(row);
      each(key, { used, resetAt: reset_at });
    }
  }

  /** Writes windows that {@link keepWindow} has not been told of, some thousand in one transaction. */
  async writeWindows(windows: Iterable<readonly [string, LimiterWindow]>): Promise<void> {
    const chunk: (readonly [string, LimiterWindow])[] = [];
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

  /** Keeps what a key's card says about these minutes, and about its month. Resolves once it is on the disk. */
  keepCard(card: LimiterCard, minutes: readonly number[]): Promise<void> {
    const { cards, written } = this.#open();
    const changed = cards.get(card) ?? new Set();
    for (const minute of minutes) changed.add(minute);
    cards.set(card, changed);
    return written;
  }

  keepWindow(key: string, window: LimiterWindow): void {
    this.#open().windows.set(key, window);
    this.#recent.set(key, window);
  }

  /** Drops what is kept of keys. */
  async dropCards(cards: readonly LimiterCard[]): Promise<void> {
    await this.#writer.run(() => {
      for (const { key, minutes } of cards) {
        this.#deleteMonth.run(key.account, key.keyId);
        for (const minute of minutes.keys()) this.#deleteUsage.run(key.account, key.keyId, minute);
      }
    });
  }

  /** Deletes at most `max` windows that are over. Returns how many. */
  async sweep(now: number, max: number): Promise<number> {
    return this.#writer.run(() => Number(this.#deleteOver.run(now, max).changes));
  }

  #open(): Batch {
    if (this.#batch !== null) return this.#batch;
    const changes = this.#refused;
    this.#refused = { cards: new Map(), windows: new Map() };
    const written = this.#writer.run(() => {
      this.#batch = null;
      for (const [card, minutes] of changes.cards) this.#writeCard(card, minutes);
      for (const [key, { used, resetAt }] of changes.windows) this.#putWindow.run(key, used, resetAt);
    });
    const batch = { ...changes, written };
    this.#batch = batch;
    written.catch(() => this.#keepRefused(batch));
    return batch;
  }

  /**
   * Keeps the changes of a batch that was not written: the file was busy, or the queue full. They join the next batch, where
   * newer values of the same windows stand; cards are read when they are written.
   */
  #keepRefused(batch: Batch): void {
    if (this.#batch === batch) this.#batch = null;
    const next = this.#batch ?? this.#refused;
    for (const [card, minutes] of batch.cards) {
      next.cards.set(card, new Set([...minutes, ...(next.cards.get(card) ?? [])]));
    }
    for (const [key, window] of batch.windows) {
      if (!next.windows.has(key)) next.windows.set(key, window);
    }
  }

  #writeCard({ key: { account, keyId }, ...card }: LimiterCard, changed: ReadonlySet<number>): void {
    if (card.month !== null) this.#putMonth.run(account, keyId, card.month, card.usedInMonth);
    for (const minute of changed) {
      const count = card.minutes.get(minute);
      if (count === undefined) this.#deleteUsage.run(account, keyId, minute);
      else {
        const { mode, incarnation, allowed, denied, refused, looked } = count;
        this.#putUsage.run(account, keyId, minute, mode, incarnation, allowed, denied, refused, looked);
      }
    }
  }
}
