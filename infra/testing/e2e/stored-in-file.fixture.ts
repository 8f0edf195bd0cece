import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BLOB_FOLDER } from '../../engines/embedded/blob-files.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import type { Place, StoredState, StoredWork } from './stored-state.fixture.ts';
import { textsOf } from './stored-texts.fixture.ts';

/**
 * A `pending` row that a kill has left may stay until its aggregate is loaded again, as long as all that it asks for was
 * done: that has to be so once the record that asked for it counts as handled.
 */
const PENDING = `aggregate_row, json_each(aggregate_row.document, '$.effects') AS effect
  WHERE aggregate_row.kind = 'pending'`;

const WORK_QUERIES: Readonly<Record<keyof StoredWork, string>> = {
  deadLetters: `SELECT count(*) AS count FROM log_record JOIN log_partition ON log_partition.id = partition_id
    WHERE topic = 'dead-letters'`,
  unhandled: `SELECT coalesce(sum(log_partition.next_offset - coalesce(log_group.next_offset, 0)), 0) AS count
    FROM log_partition LEFT JOIN log_group ON log_group.partition_id = log_partition.id
    AND group_name NOT LIKE 'sweep-%' WHERE topic <> 'dead-letters'`,
  unsent: `SELECT count(*) AS count FROM ${PENDING} AND effect.value ->> 'kind' = 'append' AND NOT EXISTS (
    SELECT 1 FROM log_record JOIN log_partition ON log_partition.id = partition_id
    WHERE topic = effect.value ->> 'topic' AND log_record.value ->> 'key' = effect.value ->> '$.envelope.key')`,
  unwritten: `SELECT count(*) AS count FROM ${PENDING} AND effect.value ->> 'kind' = 'lookup' AND NOT EXISTS (
    SELECT 1 FROM lookup WHERE digest = effect.value ->> '$.entry.digest'
    AND lookup.kind = effect.value ->> '$.entry.kind' AND version >= effect.value ->> '$.entry.version')`,
};

/** The tables of ports, by the beginnings of their names. */
const PLACES: readonly (readonly [string, Place])[] = [
  ['log_', 'log'],
  ['aggregate_', 'store'],
  ['lookup', 'lookups'],
  ['blob', 'blobs'],
];

/** The state that the embedded engine has stored in a data folder. */
export class StoredInFile implements StoredState {
  readonly #file: string;
  readonly #blobFolder: string;

  constructor(dataFolder: string) {
    this.#file = join(dataFolder, DATABASE_FILE);
    this.#blobFolder = join(dataFolder, BLOB_FOLDER);
  }

  async texts(): Promise<ReadonlyMap<Place, readonly string[]>> {
    return this.#look((database) => {
      const texts = new Map<Place, string[]>();
      for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
        const place = placeOf(String(name));
        const values = database
          .prepare(`SELECT * FROM ${name}`)
          .all()
          .flatMap((row) => Object.values(row).flatMap(textsOf));
        texts.set(place, [...(texts.get(place) ?? []), ...values]);
      }
      texts.set('blobs', [...(texts.get('blobs') ?? []), ...this.#fileTexts()]);
      return texts;
    });
  }

  async blobNames(group: string): Promise<string[]> {
    return this.#look((database) =>
      database
        .prepare("SELECT name FROM blob WHERE blob_group GLOB ? AND state <> 'removed' ORDER BY name")
        .all(`${group}*`)
        .map(({ name }) => String(name)),
    );
  }

  async rowKinds(aggregate: string): Promise<string[]> {
    return this.#look((database) =>
      database
        .prepare(`SELECT DISTINCT kind FROM aggregate_row JOIN aggregate_root ON aggregate = number
          WHERE aggregate_root.id = ? AND kind <> 'pending'`)
        .all(aggregate)
        .map(({ kind }) => String(kind)),
    );
  }

  async work(): Promise<StoredWork> {
    return this.#look((database) => {
      const count = (name: keyof StoredWork) => Number(database.prepare(WORK_QUERIES[name]).get()?.['count']);
      return {
        deadLetters: count('deadLetters'),
        unhandled: count('unhandled'),
        unsent: count('unsent'),
        unwritten: count('unwritten'),
      };
    });
  }

  async close(): Promise<void> {}

  #fileTexts(): string[] {
    return readdirSync(this.#blobFolder).flatMap((name) => {
      const path = join(this.#blobFolder, name);
      // The service may just have removed it.
      return existsSync(path) ? textsOf(readFileSync(path)) : [];
    });
  }

  /** Opens the file for each look, because the service may restart on it in between. */
  #look<Result>(look: (database: DatabaseSync) => Result): Result {
    const database = new DatabaseSync(this.#file, { readOnly: true });
    try {
      return look(database);
    } finally {
      database.close();
    }
  }
}

function placeOf(table: string): Place {
  return PLACES.find(([beginning]) => table.startsWith(beginning))?.[1] ?? table;
}
