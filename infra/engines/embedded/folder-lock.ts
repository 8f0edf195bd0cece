import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './database.ts';
import { DataFileError, FolderInUseError, primaryCode, SQLITE } from './failures.ts';

export const LOCK_FILE = 'engine.lock';

/** A data folder that belongs to this process until it is released or the process ends. */
export interface FolderLock {
  /** Safe to call more than once. */
  release(): void;
}

/**
 * Takes a data folder for this process. The lock is an exclusive transaction on a small SQLite file: the kernel gives it
 * back when the process ends, however it ends, so there is nothing stale to clean up.
 *
 * @throws {FolderInUseError} when another process, or another engine in this one, holds the folder.
 * @throws {DataFileError} when the lock's file cannot be used.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, LOCK_FILE);
  createPrivateFile(path);
  const file = new DatabaseSync(path);
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (primaryCode(error) === SQLITE.busy) throw new FolderInUseError(folder, { cause: error });
    throw new DataFileError(path, error);
  }
  return {
    release: () => {
      if (file.isOpen) file.close();
    },
  };
}

/**
 * Makes a data folder, readable by its owner only, unless it is there, and takes it for this process.
 *
 * @throws {FolderInUseError} when another process, or another engine in this one, holds the folder.
 * @throws {DataFileError} when the folder cannot be made or written to.
 */
export function takeFolder(folder: string): FolderLock {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFileError(folder, error);
  }
  return lockFolder(folder);
}
