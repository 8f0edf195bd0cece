import type { DatabaseSync } from 'node:sqlite';

/** What makes the tables of a version back into those of the version before, as that one made them. */
const DOWNGRADES: readonly { readonly to: number; readonly sql: string }[] = [
  { to: 4, sql: 'ALTER TABLE log_partition ADD COLUMN last_appended_at INTEGER NOT NULL DEFAULT 0;' },
  { to: 3, sql: '' },
  {
    to: 2,
    sql: `
      ALTER TABLE log_record RENAME TO later_record;
      ALTER TABLE aggregate_root RENAME TO later_root;
      ALTER TABLE aggregate_row RENAME TO later_row;
      CREATE TABLE log_record (
        partition_id INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        appended_at INTEGER NOT NULL,
        PRIMARY KEY (partition_id, offset)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE aggregate_root (
        table_name TEXT NOT NULL,
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        batch_id TEXT NOT NULL,
        applied_generation INTEGER NOT NULL,
        applied_offset INTEGER NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (table_name, id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE aggregate_row (
        table_name TEXT NOT NULL,
        aggregate TEXT NOT NULL,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (table_name, aggregate, kind, id)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO log_record SELECT partition_id, offset, key, value, appended_at FROM later_record;
      INSERT INTO aggregate_root
        SELECT table_name, id, version, batch_id, applied_generation, applied_offset, document FROM later_root;
      INSERT INTO aggregate_row SELECT table_name, later_root.id, kind, later_row.id, later_row.document
        FROM later_row JOIN later_root ON aggregate = number;
      DROP TABLE later_record;
      DROP TABLE later_root;
      DROP TABLE later_row;`,
  },
  { to: 1, sql: 'ALTER TABLE blob DROP COLUMN file;' },
];

/** Makes a database what an earlier version would have written. */
export function asOfVersion(database: DatabaseSync, version: number): void {
  for (const { to, sql } of DOWNGRADES) {
    if (to >= version) database.exec(`${sql} PRAGMA user_version = ${to}`);
  }
}
