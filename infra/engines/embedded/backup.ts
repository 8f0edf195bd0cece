// Reads: a data folder, also of a service that runs. Writes: a new folder that another service can start from.
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
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BLOB_FOLDER } from './blob-files.ts';
import { createPrivateFile, DATABASE_FILE, readPragma } from './database.ts';

export interface BackUpOptions {
  /** The data folder. A service may be using it. */
  readonly folder: string;
  /** The folder that is made. It must not be there yet. */
  readonly target: string;
  /** Names of other files in the data folder that belong to it, and are copied where they are there. */
  readonly files: readonly string[];
}

export interface BackUp {
  readonly databaseBytes: number;
  /** Blobs in files of their own. */
  readonly blobs: { readonly count: number; readonly bytes: number };
  /** Those of `files` that were there. */
  readonly files: readonly string[];
}

/** How long the copy waits for a writer that holds the whole file, which is a matter of milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

const OWNER_ONLY = 0o600;

/** How often the copy begins anew because a blob came and went while it was made: a matter of milliseconds. */
const ATTEMPTS_MAX = 5;

/**
 * Copies a data folder as it is at one moment, while its service goes on. What was answered before this call is in the
 * copy; what is answered while it runs may be. The copy is read back, is on the disk when this returns, may be read by its
 * owner only, and holds nothing that was removed before. A folder that a failure leaves behind is of no use.
 *
 * @throws {Error} when there is no database to copy, when `target` exists, or when the copy is not sound.
 */
export function backUp({ folder, target, files }: BackUpOptions): BackUp {
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
  for (const path of [...copied, join(target, BLOB_FOLDER), target]) synchronize(path);
  return { databaseBytes: statSync(copy).size, blobs, files: present };
}

/**
 * Copies the database and the files that it names. A file does not change while it is named, so the files are copied before
 * the database, and those that came meanwhile after it. Of a blob that came and went in between the file is gone, or is
 * being overwritten: its row says so before. Then both are copied again.
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
  throw new Error(`backing up ${folder}: files of blobs went faster than they were copied`);
}

/** How long the copy of a file is, which may lack what was not written yet; null where there is none. */
function copiedBytes(target: string, name: string): number | null {
  return statSync(join(target, BLOB_FOLDER, name), { throwIfNoEntry: false })?.size ?? null;
}

/** Copies a file as it is, unless it has just been removed. */
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

/** One statement is one moment. `VACUUM INTO` copies what is there and none of the pages that were freed. */
function copyDatabase(source: string, copy: string): void {
  createPrivateFile(copy);
  const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
}

/** The files of the readable blobs of a database, and how long each has to be. */
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

/** Removes what was copied for nothing, and makes sure that the rest is whole and on the disk. */
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
