import { DatabaseSync } from 'node:sqlite';
import { ACCEPTED_SCHEMA } from './accepted-batches.ts';
import { OUTBOX_SCHEMA } from './outbox.ts';
import { PEOPLE_SCHEMA } from './people.ts';

const PROJECTS_SCHEMA = `
CREATE TABLE IF NOT EXISTS project (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL
) STRICT;
`;

/** The application's own database: its business, its outbox and what it has accepted of imports. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
  database.exec(`${PEOPLE_SCHEMA} ${PROJECTS_SCHEMA} ${OUTBOX_SCHEMA} ${ACCEPTED_SCHEMA}`);
  return database;
}
