import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Marks } from '../../../topics/ports/installation-marks.ts';
import type { GroupCommit } from './group-commit.ts';

/** Marks are rows of the table of index entries. No index entry has this kind. */
const KIND = 'mark';

/** Marks in the embedded database. */
export class EmbeddedMarks implements Marks {
  readonly #writer: GroupCommit;
  readonly #insert: StatementSync;
  readonly #get: StatementSync;

  constructor(database: DatabaseSync, writer: GroupCommit) {
    this.#writer = writer;
    this.#insert = database.prepare(
      `INSERT INTO lookup (kind, digest, target, version, expires_at) VALUES ('${KIND}', ?, ?, 1, NULL)
       ON CONFLICT (kind, digest) DO NOTHING`,
    );
    this.#get = database.prepare(`SELECT target FROM lookup WHERE kind = '${KIND}' AND digest = ?`);
  }

  async once(name: string, value: string): Promise<string> {
    return await this.#writer.run(() => {
      this.#insert.run(name, value);
      return String(this.#get.get(name)?.['target']);
    });
  }
}
