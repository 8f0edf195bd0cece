import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './database.ts';
import { BackupFolderError, DataFileError, FolderInUseError, primaryCode, SQLITE } from './failures.ts';

export const LOCK_FILE = 'engine.lock';

/** The file by which a folder is known as a backup. */
export const BACKUP_MARK = 'this-is-a-backup';

/** The exclusive use of a data folder, until it is released or the process ends. */
export interface FolderLock {
  /** May be called more than once. */
  release(): void;
}

/**
 * Locks a data folder for this process. The lock is an exclusive transaction on a small SQLite file: the kernel
 * releases it when the process ends in any way, so no stale lock remains.
 *
 * @throws {FolderInUseError} if another process, or another engine of this one, has locked the folder
 * @throws {DataFileError} if the lock's file cannot be used
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
 * Creates a data folder if it is missing, readable by its owner only, and locks it for this process.
 *
 * @throws {BackupFolderError} if the folder is a backup, which stays unchanged
 * @throws {FolderInUseError} if another process, or another engine of this one, has locked the folder
 * @throws {DataFileError} if the folder cannot be created or written to
 */
export function takeFolder(folder: string): FolderLock {
  if (existsSync(join(folder, BACKUP_MARK))) throw new BackupFolderError(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFileError(folder, error);
  }
  return lockFolder(folder);
}
