/** A file of the data folder that cannot be opened. The cause is the error of the file system or of SQLite. */
export class DataFileError extends Error {
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(`opening ${file}`, { cause });
    this.name = 'DataFileError';
    this.file = file;
  }
}

/** A data folder that another process, or another engine of this process, has locked. */
export class FolderInUseError extends Error {
  constructor(folder: string, options?: ErrorOptions) {
    super(`locking the data folder ${folder}: another process is using it`, options);
    this.name = 'FolderInUseError';
  }
}

/** A folder that a backup has made. Opening it would change the backup. */
export class BackupFolderError extends Error {
  constructor(folder: string) {
    super(`opening the data folder ${folder}: it is a backup`);
    this.name = 'BackupFolderError';
  }
}

/** A database in a format that this program does not know. */
export class UnknownDatabaseError extends Error {
  /** Advice for the operator. */
  readonly cure: string;

  private constructor(message: string, cure: string) {
    super(`opening the database: ${message}`);
    this.name = 'UnknownDatabaseError';
    this.cure = cure;
  }

  static newer(version: number, known: number): UnknownDatabaseError {
    return new UnknownDatabaseError(
      `it has schema version ${version}, and this program knows versions up to ${known}`,
      'start the newer program, or restore a backup from before it',
    );
  }

  static foreign(): UnknownDatabaseError {
    return new UnknownDatabaseError(
      'another program, or an unreleased version of this one, has written it',
      'name another folder',
    );
  }
}

/** A setting for durability or erasure that SQLite does not apply. */
export class DatabaseSettingError extends Error {
  constructor(name: string, wanted: string, seen: unknown) {
    super(`setting ${name} to ${wanted}: the database answers ${String(seen)}`);
    this.name = 'DatabaseSettingError';
  }
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html) that the engine distinguishes. */
export const SQLITE = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/**
 * Returns the primary result code of an error of SQLite (the low byte of the extended one), or null for any other
 * error.
 */
export function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

/**
 * Returns the short message of SQLite or the system, such as `database or disk is full` or `ENOSPC`. It contains no
 * value.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof DatabaseSettingError) return error.message;
  if ('errstr' in error && typeof error.errstr === 'string') return error.errstr;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}
