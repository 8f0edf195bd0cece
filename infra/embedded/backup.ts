// Reads: a data folder, also of a service that runs. Writes: a new folder that another service can start from.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
  /** Those of `files` that were there. */
  readonly files: readonly string[];
}

/** How long the copy waits for a writer that holds the whole file, which is a matter of milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

const OWNER_ONLY = 0o600;

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
  const copy = join(target, DATABASE_FILE);
  copyDatabase(source, copy);
  requireSound(copy);
  const present = files.filter((file) => existsSync(join(folder, file)));
  for (const file of present) {
    copyFileSync(join(folder, file), join(target, file));
    chmodSync(join(target, file), OWNER_ONLY);
  }
  for (const path of [copy, ...present.map((file) => join(target, file)), target]) synchronize(path);
  return { databaseBytes: statSync(copy).size, files: present };
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
