import { closeSync, fsync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';

/** The folder's name in the data folder. */
export const BLOB_FOLDER = 'blobs';

/** Half of the buffer of a file that is being written: one half is filled while the other one is written. */
const HELD_BYTES = 256 * 1024;

/** Bytes that one read returns at most. */
const PIECE_BYTES_MAX = 256 * 1024;

const ZEROS = Buffer.alloc(HELD_BYTES);

const synchronize = promisify(fsync);

/**
 * The bytes of large blobs, one file each. Writes run beside the event loop; reads are short and synchronous, like
 * those of the database. A file counts only while the row of its blob is complete, and never changes after that.
 *
 * Every method throws {@link EngineUnavailableError} if the file system fails.
 */
export class BlobFiles {
  readonly #path: string;
  /**
   * The folder's handle: syncing it makes a new name survive a power cut. Null on Windows, which cannot sync folders.
   */
  readonly #folder: number | null;
  /** Orphaned files of a crash, which no blob names. */
  readonly #unreferenced: string[];

  /**
   * Opens the folder, readable by its owner only.
   *
   * @param named the files of all blobs, including unfinished ones
   */
  constructor(dataFolder: string, named: ReadonlySet<string>) {
    this.#path = join(dataFolder, BLOB_FOLDER);
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    this.#unreferenced = readdirSync(this.#path).filter((name) => !named.has(name));
    this.#folder = process.platform === 'win32' ? null : openSync(this.#path, 'r');
  }

  async create(name: string): Promise<BlobFile> {
    const handle = await available(() => open(join(this.#path, name), 'wx', 0o600));
    return new BlobFile(handle, () => this.#synchronizeNames());
  }

  /**
   * Reads the bytes `start` to `end` of a file.
   *
   * @param isReadable returns after each piece if the blob may still be read
   * @throws {Error} if it may not, or the file is missing or too short
   */
  async *read(
    name: string,
    { start, end }: { readonly start: number; readonly end: number },
    isReadable: () => boolean,
  ): AsyncGenerator<Uint8Array> {
    const file = await available(async () => unlessMissing(() => openSync(join(this.#path, name), 'r')));
    if (file === null) throw new Error('reading a blob whose file was removed meanwhile, or is lost');
    try {
      for (let position = start; position < end; ) {
        const bytes = await available(async () => readPiece(file, position, end));
        if (!isReadable()) throw new Error('reading a blob that was removed meanwhile');
        if (bytes.length === 0) throw new Error('reading a blob whose file is too short');
        position += bytes.length;
        yield bytes;
      }
    } finally {
      closeSync(file);
    }
  }

  /**
   * Overwrites a file with zeros, so that an erasure erases as far as the disk writes in place, and removes it. Does
   * nothing without a file.
   */
  async remove(name: string): Promise<void> {
    const path = join(this.#path, name);
    await available(async () => {
      await overwrite(path);
      await rm(path, { force: true });
    });
  }

  /** Removes at most `max` orphaned files. Returns their number. */
  async sweep(max: number): Promise<number> {
    const strays = this.#unreferenced.splice(0, max);
    for (const name of strays) await this.remove(name);
    return strays.length;
  }

  close(): void {
    if (this.#folder !== null) closeSync(this.#folder);
  }

  async #synchronizeNames(): Promise<void> {
    if (this.#folder !== null) await synchronize(this.#folder);
  }
}

/** A file that is being written. The caller may change the appended bytes once `append` has resolved. */
export class BlobFile {
  readonly #handle: FileHandle;
  readonly #synchronizeNames: () => Promise<void>;
  #buffer = Buffer.allocUnsafeSlow(HELD_BYTES);
  #held = 0;
  #length = 0;
  /** The second buffer, written while the first one is filled, and its write. */
  #leaving = Buffer.allocUnsafeSlow(HELD_BYTES);
  #left: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, synchronizeNames: () => Promise<void>) {
    this.#handle = handle;
    this.#synchronizeNames = synchronizeNames;
  }

  /** Length in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Appends bytes. Also rejects for an earlier call whose write has failed since. */
  async append(bytes: Uint8Array): Promise<void> {
    for (let position = 0; position < bytes.length; ) {
      const piece = bytes.subarray(position, position + HELD_BYTES - this.#held);
      this.#buffer.set(piece, this.#held);
      this.#held += piece.length;
      position += piece.length;
      if (this.#held === HELD_BYTES) await this.#flush();
    }
    this.#length += bytes.length;
  }

  /** Resolves once the bytes and the name are on the disk. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#left;
    await available(async () => {
      await Promise.all([this.#handle.sync(), this.#synchronizeNames()]);
    });
  }

  /** Closes the file; may be called again. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#left]);
    await this.#handle.close();
  }

  /** Starts to write the filled buffer once the previous write has finished. */
  async #flush(): Promise<void> {
    await this.#left;
    const bytes = this.#buffer.subarray(0, this.#held);
    [this.#buffer, this.#leaving] = [this.#leaving, this.#buffer];
    this.#held = 0;
    this.#left = available(() => this.#handle.appendFile(bytes));
    // A later call awaits it; until then it must not count as an unhandled rejection.
    this.#left.catch(() => {});
  }
}

async function overwrite(path: string): Promise<void> {
  const file = await unlessMissing(() => open(path, 'r+'));
  if (file === null) return;
  try {
    const { size } = await file.stat();
    for (let position = 0; position < size; position += ZEROS.length) {
      await file.write(ZEROS, 0, Math.min(ZEROS.length, size - position), position);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Returns the result of `use`, or null if the file does not exist. */
async function unlessMissing<Result>(use: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function readPiece(file: number, position: number, end: number): Uint8Array {
  const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES_MAX, end - position));
  return piece.subarray(0, readSync(file, piece, 0, piece.length, position));
}

async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new EngineUnavailableError('blobs', { cause: error });
  }
}
