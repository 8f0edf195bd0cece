import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { DigestIndex, IndexEntry, IndexKey } from '../../../topics/ports/digest-index.ts';
import { reading } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import { ReadCache } from './read-cache.ts';

/**
 * Time for which an expired entry keeps its version: as long as the log keeps commands. If it were forgotten earlier,
 * a delayed write of an older entry would restore an ended one.
 */
const VERSION_KEPT_MS = 14 * DAY_MS;

interface LookupRow {
  readonly target: string | null;
  readonly expires_at: number | null;
}

/** A live index entry, with its end. */
interface Known {
  readonly target: JsonObject;
  readonly expiresAt: number | null;
}

/** Index entries in the embedded database. */
export class EmbeddedDigestIndex implements DigestIndex {
  readonly #writer: GroupCommit;
  readonly #clock: Clock;
  readonly #put: StatementSync;
  readonly #get: StatementSync;
  readonly #deleteExpired: StatementSync;
  readonly #known = new ReadCache<Known>();

  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
    this.#put = database.prepare(
      `INSERT INTO lookup (kind, digest, target, version, expires_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, digest) DO UPDATE
       SET target = excluded.target, version = excluded.version, expires_at = excluded.expires_at
       WHERE excluded.version >= lookup.version`,
    );
    this.#get = database.prepare(
      'SELECT target, expires_at FROM lookup WHERE kind = ? AND digest = ? AND (expires_at IS NULL OR expires_at > ?)',
    );
    this.#deleteExpired = database.prepare(
      `DELETE FROM lookup WHERE (kind, digest) IN
       (SELECT kind, digest FROM lookup WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    );
  }

  async put(entry: IndexEntry): Promise<void> {
    const target = entry.target === null ? null : JSON.stringify(entry.target);
    await this.#writer.run(() => {
      this.#put.run(entry.kind, entry.digest, target, entry.version, entry.expiresAt);
      this.#known.remove(entry.kind, entry.digest);
    });
  }

  async get(key: IndexKey): Promise<JsonObject | null> {
    const found = this.#find(key);
    await this.#writer.synchronized();
    return found;
  }

  /** Deletes at most `max` entries that expired long enough ago. Returns their number. */
  async sweep(now: number, max: number): Promise<number> {
    return this.#writer.run(() => Number(this.#deleteExpired.run(now - VERSION_KEPT_MS, max).changes));
  }

  #find(key: IndexKey): JsonObject | null {
    const now = this.#clock.now();
    const known = this.#known.get(key.kind, key.digest);
    if (known !== undefined) return known.expiresAt === null || known.expiresAt > now ? known.target : null;
    const row = reading('look-ups', () => this.#get.get(key.kind, key.digest, now)) as LookupRow | undefined;
    if (row === undefined || row.target === null) return null;
    const target = JSON.parse(row.target) as JsonObject;
    this.#known.keep({ target, expiresAt: row.expires_at }, row.target.length, key.kind, key.digest);
    return target;
  }
}
