import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A milestone that one of your users has reached, not yet known to the service. */
export interface Intent {
  /** Stable over all attempts: the `idempotencyKey`. */
  readonly id: string;
  readonly userId: string;
  readonly eventKey: string;
  /** Failures in a row so far. */
  readonly attempts: number;
}

/**
 * - `pending`: to be delivered, from `due_at` on.
 * - `parked`: refused for a cause that a person has to remove, like a missing claim; then {@link Outbox.sendAgain}.
 * - `set-aside`: refused for good; `reason` says why.
 * - `delivered`: accepted.
 */
export type IntentState = 'pending' | 'parked' | 'set-aside' | 'delivered';

export const OUTBOX_SCHEMA = `
CREATE TABLE IF NOT EXISTS outbox (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  event_key TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'parked', 'set-aside', 'delivered')),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  reason TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due_at) WHERE state = 'pending';
`;

/**
 * The table of intents, in your own database. Write an intent in the transaction of the business action that it tells of:
 * then there is none without the action, no action without its intent, and no failure of a delivery undoes anything.
 */
export class Outbox {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Inside the transaction of the business action. */
  add(userId: string, eventKey: string, now: number): void {
    this.#database
      .prepare('INSERT INTO outbox (id, user_id, event_key, due_at) VALUES (?, ?, ?, ?)')
      .run(randomUUID(), userId, eventKey, now);
  }

  /** The oldest intents that are due. */
  due(now: number, limit: number): Intent[] {
    return this.#database
      .prepare(
        `SELECT id, user_id AS userId, event_key AS eventKey, attempts FROM outbox
         WHERE state = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?`,
      )
      .all(now, limit) as unknown as Intent[];
  }

  /** When the next intent is due, or null while there is none. */
  nextDueAt(): number | null {
    const row = this.#database.prepare("SELECT min(due_at) AS at FROM outbox WHERE state = 'pending'").get();
    return row?.['at'] === null ? null : Number(row?.['at']);
  }

  postpone(id: string, dueAt: number, reason: string): void {
    this.#database
      .prepare('UPDATE outbox SET attempts = attempts + 1, due_at = ?, reason = ? WHERE id = ?')
      .run(dueAt, reason, id);
  }

  settle(id: string, state: Exclude<IntentState, 'pending'>, reason: string | null): void {
    this.#database.prepare('UPDATE outbox SET state = ?, reason = ? WHERE id = ?').run(state, reason, id);
  }

  /** Makes all intents due, after a person has removed the cause of a refusal. Returns their number. */
  sendAgain(now: number): number {
    const { changes } = this.#database
      .prepare(
        `UPDATE outbox SET state = 'pending', attempts = 0, due_at = ?1, reason = NULL
         WHERE state = 'parked' OR (state = 'pending' AND due_at > ?1)`,
      )
      .run(now);
    return Number(changes);
  }

  /** The number of intents by state and reason. */
  counts(): { state: IntentState; reason: string | null; intents: number }[] {
    return this.#database
      .prepare(
        'SELECT state, reason, count(*) AS intents FROM outbox GROUP BY state, reason ORDER BY state, reason',
      )
      .all() as unknown as { state: IntentState; reason: string | null; intents: number }[];
  }
}
