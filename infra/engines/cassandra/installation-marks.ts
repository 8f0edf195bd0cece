import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type { Marks } from '../../../topics/ports/installation-marks.ts';
import { unavailable } from './failures.ts';
import type { CassandraSession } from './session.ts';

const ENGINE = 'marks';

/** Marks are rows of the table of index entries. No index entry has this kind. */
const KIND = 'mark';

/** Attempts of a write without an answer. A repetition finds the mark that an earlier attempt wrote. */
const ATTEMPTS_MAX = 3;

/** Marks in Cassandra, each written by a conditional insert. */
export class CassandraMarks implements Marks {
  readonly #session: CassandraSession;

  constructor(session: CassandraSession) {
    this.#session = session;
  }

  async once(name: string, value: string): Promise<string> {
    const query = `INSERT INTO ${this.#session.table('lookup')} (kind, digest, entry) VALUES (?, ?, ?) IF NOT EXISTS`;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      try {
        const standing = await this.#session.writeIf(ENGINE, [{ query, params: [KIND, name, value] }]);
        return standing === null ? value : String(standing['entry']);
      } catch (error) {
        if (!(error instanceof CommitUnknownError)) throw error;
      }
    }
    throw unavailable(ENGINE);
  }
}
