import type { JsonObject } from '../../../schemas/base/json.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { DigestIndex, IndexEntry, IndexKey } from '../../../topics/ports/digest-index.ts';
import { isLive, secondsToLive } from './expiry.ts';
import type { CassandraSession } from './session.ts';

const ENGINE = 'look-ups';

/**
 * Time for which an expired entry keeps its version: as long as the log keeps commands. If it were forgotten earlier,
 * a delayed write of an older entry would restore an ended one.
 */
const VERSION_KEPT_MS = 14 * DAY_MS;

/** The content of an entry's cell. */
type Entry = Pick<IndexEntry, 'target' | 'expiresAt'>;

/**
 * Index entries in Cassandra. The timestamp of a write is its version, so Cassandra keeps the newest in any order of
 * arrival. An ended entry is an ordinary cell and not a deletion: Cassandra forgets tombstones after a while.
 */
export class CassandraDigestIndex implements DigestIndex {
  readonly #session: CassandraSession;
  readonly #clock: Clock;

  constructor(session: CassandraSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  async put({ kind, digest, target, version, expiresAt }: IndexEntry): Promise<void> {
    const entry: Entry = { target, expiresAt };
    const seconds = secondsToLive(expiresAt, this.#clock.now(), VERSION_KEPT_MS);
    const query = `UPDATE ${this.#session.table('lookup')} USING TIMESTAMP ? AND TTL ? SET entry = ?
                   WHERE kind = ? AND digest = ?`;
    const params = [BigInt(version), seconds, JSON.stringify(entry), kind, digest];
    await this.#session.write(ENGINE, [{ query, params }]);
  }

  async get({ kind, digest }: IndexKey): Promise<JsonObject | null> {
    const query = `SELECT entry FROM ${this.#session.table('lookup')} WHERE kind = ? AND digest = ?`;
    const [row] = await this.#session.read(ENGINE, { query, params: [kind, digest] }, 'LOCAL_QUORUM');
    if (row === undefined) return null;
    const { target, expiresAt } = JSON.parse(row['entry']) as Entry;
    return isLive(expiresAt, this.#clock.now()) ? target : null;
  }
}
