import { closeSync, fdatasync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { DatabaseSettingError, DataFileError, UnknownDatabaseError } from './failures.ts';
import { APPLICATION_ID, CURRENT_SCHEMA, type Schema } from './schema.ts';

export const DATABASE_FILE = 'engine.db';

/** Longest wait of a statement at the start for another program that locks the file. */
const OPENING_BUSY_TIMEOUT_MS = 5_000;

const synchronizeFile = promisify(fdatasync);

/** The settings of the connection, with the values that SQLite returns once they apply. */
const PRAGMAS = [
  { name: 'busy_timeout', value: String(OPENING_BUSY_TIMEOUT_MS), readBack: OPENING_BUSY_TIMEOUT_MS },
  // The filler of the table blob_chunk depends on it. Only a new file accepts another size.
  { name: 'page_size', value: '4096', readBack: 4096 },
  { name: 'journal_mode', value: 'WAL', readBack: 'wal' },
  // NORMAL: SQLite waits for the disk at checkpoints only. The writer calls `synchronize` of the log before it
  // answers. The default differs between builds.
  { name: 'synchronous', value: 'NORMAL', readBack: 1 },
  // 16 MiB of pages instead of SQLite's 4: a page that consecutive transactions write is copied to the file once.
  { name: 'wal_autocheckpoint', value: '4000', readBack: 4000 },
  // Darwin's fsync leaves bytes in the drive's cache; elsewhere this has no effect.
  { name: 'fullfsync', value: 'ON', readBack: 1 },
  // Overwrites removed content with zeros, so that an erasure erases.
  { name: 'secure_delete', value: 'ON', readBack: 1 },
] as const;

/**
 * Opens the database of a data folder, creates what is missing, and verifies every setting. Only its owner may read
 * the files. Write-ahead logging needs a local file system.
 *
 * @throws {UnknownDatabaseError} if a newer version of the program, or another program, has written the file
 * @throws {DataFileError} if the file cannot be read or written, or a setting has no effect
 */
export function openDatabase(folder: string, schema = CURRENT_SCHEMA): DatabaseSync {
  const path = join(folder, DATABASE_FILE);
  createPrivateFile(path);
  const database = openFile(path);
  try {
    for (const pragma of PRAGMAS) {
      database.exec(`PRAGMA ${pragma.name} = ${pragma.value}`);
      const seen = readPragma(database, pragma.name);
      if (seen !== pragma.readBack) {
        throw new DatabaseSettingError(pragma.name, pragma.value, seen);
      }
    }
    applySchema(database, schema);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof UnknownDatabaseError ? error : new DataFileError(path, error);
  }
}

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw new DataFileError(path, error);
  }
}

/** Returns the value of a pragma with a single answer. */
export function readPragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

/**
 * Creates an empty file that only its owner may read. An existing file keeps its content.
 *
 * @throws {DataFileError} if the file system fails
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new DataFileError(path, error);
  }
}

/**
 * Disables SQLite's own wait for locks, which would block the thread that answers requests. From now on the writer
 * waits (`LOCK_WAIT_MS_MAX`), beside the event loop.
 */
export function stopWaiting(database: DatabaseSync): void {
  database.exec('PRAGMA busy_timeout = 0');
}

/**
 * Moves the write-ahead log into the database file and empties it, unless another program, such as a backup, reads an
 * older state; then a later call does.
 */
export function emptyWriteAheadLog(database: DatabaseSync): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** The write-ahead log of an open database, for waiting for the disk beside the event loop. */
export interface WriteAheadLog {
  /** Resolves once every committed transaction is on the disk. */
  synchronize(): Promise<void>;
  close(): void;
}

/** Opens the write-ahead log, which SQLite keeps beside an open database. */
export function openWriteAheadLog(folder: string): WriteAheadLog {
  const file = openSync(join(folder, `${DATABASE_FILE}-wal`), 'r+');
  return {
    synchronize: () => synchronizeFile(file),
    close: () => closeSync(file),
  };
}

/**
 * Runs a read and converts SQLite's errors to those of the ports.
 *
 * @throws {EngineUnavailableError} if the database cannot be read or is closed
 */
export function reading<Result>(engine: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new EngineUnavailableError(engine, { cause: error });
  }
}

/** Upgrades the file to this version and creates the missing tables, in one transaction. */
function applySchema(database: DatabaseSync, { version, tables, upgrades }: Schema): void {
  const found = Number(readPragma(database, 'user_version'));
  if (found > version) throw UnknownDatabaseError.newer(found, version);
  if (found > 0 && readPragma(database, 'application_id') !== APPLICATION_ID)
    throw UnknownDatabaseError.foreign();
  const missing = Object.entries(upgrades).filter(([to]) => found > 0 && Number(to) > found);
  const statements = [
    ...missing.map(([, upgrade]) => upgrade),
    tables,
    `PRAGMA application_id = ${APPLICATION_ID}`,
    `PRAGMA user_version = ${version}`,
  ];
  database.exec(`BEGIN IMMEDIATE; ${statements.join('; ')}; COMMIT`);
}
