import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './database.ts';

export const LOCK_FILE = 'engine.lock';

/** A data folder that belongs to this process until it is released or the process ends. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a data folder for this process. The lock is an exclusive transaction on a small SQLite file: the kernel gives it
 * back when the process ends, however it ends, so there is nothing stale to clean up.
 *
 * @throws {Error} when another process, or another engine in this one, holds the folder.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, LOCK_FILE);
  createPrivateFile(path);
  const file = new DatabaseSync(path);
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw new Error(`locking the data folder ${folder}: another process is using it`, { cause: error });
  }
  return { release: () => file.close() };
}
