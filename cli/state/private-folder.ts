import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, type Next } from '../failure.ts';
import { type Waiter, withLock } from './lock.ts';
import { entryAt, movingAway, requireClosed, requireOwn } from './secure-path.ts';

/** The maximum size of a file in it. Ours have a few kilobytes. */
const FILE_BYTES_MAX = 256 * 1_024;
const TEMPORARY = '.new-';
/** The age from which an unfinished file counts as left behind by a process that was stopped. */
const TEMPORARY_STALE_MS = 60_000;

/** A folder that only its user can open, such as `.svc` of a project directory. */
export class PrivateFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Opens a folder, or returns null if there is none.
   *
   * @throws {CommandFailure} if it is a link, or belongs to another user
   */
  static open(path: string): PrivateFolder | null {
    const entry = entryAt(path);
    if (entry === null) return null;
    requireOwn(path, entry, 'directory');
    return new PrivateFolder(path);
  }

  /**
   * Opens a folder, and makes it before if there is none.
   *
   * @throws {CommandFailure} if it cannot be made, or others may open it
   */
  static make(path: string, { withParents = false } = {}): PrivateFolder {
    try {
      mkdirSync(path, { mode: 0o700, recursive: withParents });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
        throw new CommandFailure(`Making ${path} failed: ${reasonOf(error)}.`, {
          code: 'state_not_writable',
          exit: 'failed',
          cause: error,
        });
      }
    }
    const folder = PrivateFolder.open(path);
    if (folder === null) throw new Error('opening a folder that was made');
    return folder;
  }

  /**
   * Checks that only the caller may open the folder and a file in it.
   *
   * @throws {CommandFailure} if others may; it names another mode only if this tool wrote the content
   */
  requireClosed(name: string | null, isWrittenHere: boolean): void {
    for (const path of name === null ? [this.path] : [this.path, this.pathOf(name)]) {
      const entry = entryAt(path);
      if (entry !== null) requireClosed(path, entry, isWrittenHere);
    }
  }

  /** Returns the path of a file in the folder. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  /**
   * Returns the text of a file, or null if there is none.
   *
   * @throws {CommandFailure} if the file is a link, belongs to another user, is too large, or others may open it
   */
  read(name: string): string | null {
    const text = this.readOpen(name);
    if (text !== null) this.requireClosed(name, false);
    return text;
  }

  /** Like {@link read}, also if others may open the file. */
  readOpen(name: string): string | null {
    const path = this.pathOf(name);
    const entry = entryAt(path);
    if (entry === null) return null;
    requireOwn(path, entry, 'file');
    if (entry.size > BigInt(FILE_BYTES_MAX)) throw this.damaged(name);
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  }

  /** Writes a file as a whole: a reader, and a process after a power cut, finds the old text or the new one. */
  write(name: string, text: string): void {
    const temporary = this.pathOf(`${TEMPORARY}${randomUUID()}`);
    try {
      this.#writeNew(temporary, text);
      renameSync(temporary, this.pathOf(name));
      syncFolder(this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new CommandFailure(`Writing ${this.pathOf(name)} failed: ${reasonOf(error)}.`, {
        code: 'state_not_writable',
        exit: 'failed',
        cause: error,
      });
    }
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { force: true });
  }

  /** Runs work that no other command in this folder does at the same time. */
  async exclusively<Result>(waiter: Waiter, work: () => Promise<Result>): Promise<Result> {
    return await withLock(this.pathOf('lock'), waiter, async () => {
      this.#removeUnfinished();
      return await work();
    });
  }

  /**
   * Makes the failure of a file that this tool did not write.
   *
   * @param afterwards a sentence about what to do in the place of a new start
   */
  damaged(name: string, afterwards = ''): CommandFailure {
    return new CommandFailure(
      `${this.pathOf(name)} cannot be read by this version. Move the folder away to start again.${afterwards}`,
      { code: 'damaged_state', exit: 'failed', next: this.moveAway() },
    );
  }

  /** Returns the command after which its directory can get another workspace. */
  moveAway(): Next {
    return movingAway(this.path);
  }

  #writeNew(path: string, text: string): void {
    const file = openSync(path, 'wx', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #removeUnfinished(): void {
    for (const name of readdirSync(this.path).filter((each) => each.startsWith(TEMPORARY))) {
      const entry = entryAt(this.pathOf(name));
      if (entry !== null && Date.now() - Number(entry.mtimeMs) > TEMPORARY_STALE_MS) this.remove(name);
    }
  }
}

/** Makes a rename durable. Windows cannot open folders, and does without. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
