import type { JsonObject } from '../../../schemas/base/json.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { LookupEntry, LookupKey, Lookups } from '../../../topics/ports/lookups.ts';
import { isLive, secondsToLive } from './expiry.ts';
import type { CassandraSession } from './session.ts';

const ENGINE = 'look-ups';

/**
 * How long an expired entry keeps its version: as long as the log keeps the command that an older entry could still
 * come from. Forgotten earlier, that one would bring back what was ended.
 */
const VERSION_KEPT_MS = 14 * DAY_MS;

/** What the cell of a look-up holds. */
type Entry = Pick<LookupEntry, 'target' | 'expiresAt'>;

/**
 * Look-ups in Cassandra. The timestamp of a write is its version, so Cassandra itself keeps the newest whatever the order
 * of arrival. An end is a cell like every other and no deletion: a tombstone would be forgotten after a while.
 */
export class CassandraLookups implements Lookups {
  readonly #session: CassandraSession;
  readonly #clock: Clock;

  constructor(session: CassandraSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  async put({ kind, digest, target, version, expiresAt }: LookupEntry): Promise<void> {
    const entry: Entry = { target, expiresAt };
    const seconds = secondsToLive(expiresAt, this.#clock.now(), VERSION_KEPT_MS);
    const query = `UPDATE ${this.#session.table('lookup')} USING TIMESTAMP ? AND TTL ? SET entry = ?
                   WHERE kind = ? AND digest = ?`;
    const params = [BigInt(version), seconds, JSON.stringify(entry), kind, digest];
    await this.#session.write(ENGINE, [{ query, params }]);
  }

  async get({ kind, digest }: LookupKey): Promise<JsonObject | null> {
    const query = `SELECT entry FROM ${this.#session.table('lookup')} WHERE kind = ? AND digest = ?`;
    const [row] = await this.#session.read(ENGINE, { query, params: [kind, digest] }, 'LOCAL_QUORUM');
    if (row === undefined) return null;
    const { target, expiresAt } = JSON.parse(row['entry']) as Entry;
    return isLive(expiresAt, this.#clock.now()) ? target : null;
  }
}
