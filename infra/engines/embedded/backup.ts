// Reads a data folder, also of a running service, and writes a new folder from which another service can start.
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BLOB_FOLDER } from './blob-files.ts';
import { createPrivateFile, DATABASE_FILE, readPragma } from './database.ts';
import { BACKUP_MARK } from './folder-lock.ts';

export interface BackUpOptions {
  /** The data folder. A service may be using it. */
  readonly folder: string;
  /** The new folder. It must not exist. */
  readonly target: string;
  /** Names of other files of the data folder, copied if they exist. */
  readonly files: readonly string[];
  /** True for a backup, in which no service starts; false for a data folder, which is the default. */
  readonly isBackup?: boolean;
}

export interface BackUp {
  readonly databaseBytes: number;
  /** Blobs in separate files. */
  readonly blobs: { readonly count: number; readonly bytes: number };
  /** The copied ones among `files`. */
  readonly files: readonly string[];
}

/** Longest wait for a writer that locks the whole file, which takes milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

const OWNER_ONLY = 0o600;

/** The text of the mark, for a person who opens it. */
const MARK_TEXT =
  'No service starts in this folder, so that the backup stays unchanged. Make a data folder of it with `npm run ops -- restore`.\n';

/** Attempts of a copy. It restarts if a blob was written and removed meanwhile, within milliseconds. */
const ATTEMPTS_MAX = 5;

/**
 * Copies a data folder as of one moment, while its service runs. The copy has every write that was answered before
 * this call, and possibly later ones. It is verified and durable when this returns, readable by its owner only, and
 * contains no removed data. After a failure the new folder is unusable.
 *
 * @throws {Error} if there is no database to copy, `target` exists, or the copy is damaged
 */
export function backUp({ folder, target, files, isBackup = false }: BackUpOptions): BackUp {
  const source = join(folder, DATABASE_FILE);
  if (!existsSync(source)) throw new Error(`backing up ${folder}: it has no ${DATABASE_FILE}`);
  mkdirSync(target, { mode: 0o700 });
  mkdirSync(join(target, BLOB_FOLDER), { mode: 0o700 });
  const copy = join(target, DATABASE_FILE);
  const blobs = copyTogether(folder, target);
  requireSound(copy);
  const present = files.filter((file) => existsSync(join(folder, file)));
  for (const file of present) {
    copyFileSync(join(folder, file), join(target, file));
    chmodSync(join(target, file), OWNER_ONLY);
  }
  const copied = [copy, ...present.map((file) => join(target, file))];
  if (isBackup) {
    const mark = join(target, BACKUP_MARK);
    writeFileSync(mark, MARK_TEXT, { mode: OWNER_ONLY });
    copied.push(mark);
  }
  for (const path of [...copied, join(target, BLOB_FOLDER), target]) synchronize(path);
  return { databaseBytes: statSync(copy).size, blobs, files: present };
}

/**
 * Copies the database and the files that it names. A named file does not change, so its copy may precede that of the
 * database; newer files are copied after it. A file may be removed or overwritten in between: its row says so
 * beforehand. Then both are copied again.
 */
function copyTogether(folder: string, target: string): BackUp['blobs'] {
  const source = join(folder, DATABASE_FILE);
  const copy = join(target, DATABASE_FILE);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    for (const name of namesIn(join(folder, BLOB_FOLDER))) {
      if (copiedBytes(target, name) === null) copyBlob(folder, target, name);
    }
    rmSync(copy, { force: true });
    copyDatabase(source, copy);
    const named = namedFiles(copy);
    const late = [...named].filter(([name, length]) => copiedBytes(target, name) !== length);
    for (const [name] of late) copyBlob(folder, target, name);
    const stillNamed = late.length === 0 ? named : namedFiles(source);
    if (late.every(([name]) => stillNamed.has(name))) return keepOnly(named, join(target, BLOB_FOLDER));
  }
  throw new Error(`backing up ${folder}: files of blobs were removed faster than they were copied`);
}

/** Returns the length of a copied file, which may be incomplete; null if there is none. */
function copiedBytes(target: string, name: string): number | null {
  return statSync(join(target, BLOB_FOLDER, name), { throwIfNoEntry: false })?.size ?? null;
}

/** Copies a file unless it has just been removed. */
function copyBlob(folder: string, target: string, name: string): void {
  try {
    copyFileSync(
      join(folder, BLOB_FOLDER, name),
      join(target, BLOB_FOLDER, name),
      constants.COPYFILE_FICLONE,
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Copies the database in one statement, so as of one moment. `VACUUM INTO` leaves out freed pages. */
function copyDatabase(source: string, copy: string): void {
  createPrivateFile(copy);
  const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
}

/** Returns the files of the readable blobs of a database, with their lengths. */
function namedFiles(path: string): Map<string, number> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = database
      .prepare("SELECT file, length FROM blob WHERE state = 'complete' AND file IS NOT NULL")
      .all();
    return new Map(rows.map(({ file, length }) => [String(file), Number(length)]));
  } finally {
    database.close();
  }
}

/** Removes superfluous copies, verifies the others and waits until they are on the disk. */
function keepOnly(named: ReadonlyMap<string, number>, folder: string): BackUp['blobs'] {
  for (const name of namesIn(folder)) if (!named.has(name)) rmSync(join(folder, name));
  let bytes = 0;
  for (const [name, length] of named) {
    const path = join(folder, name);
    const { size } = statSync(path);
    if (size !== length) throw new Error(`checking the copy ${path}: seen ${size} bytes of ${length}`);
    chmodSync(path, OWNER_ONLY);
    synchronize(path);
    bytes += size;
  }
  return { count: named.size, bytes };
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function requireSound(copy: string): void {
  const database = new DatabaseSync(copy, { readOnly: true });
  try {
    const found = readPragma(database, 'integrity_check');
    if (found !== 'ok') throw new Error(`checking the copy ${copy}: ${String(found)}`);
  } finally {
    database.close();
  }
}

function synchronize(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
