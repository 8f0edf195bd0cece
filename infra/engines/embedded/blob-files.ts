import { closeSync, fsync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';

/** In the data folder. */
export const BLOB_FOLDER = 'blobs';

/** Half of what a file that is written holds in memory: one half is filled while the other one is written. */
const HELD_BYTES = 256 * 1024;

/** What one read returns at most. */
const PIECE_BYTES_MAX = 256 * 1024;

const ZEROS = Buffer.alloc(HELD_BYTES);

const synchronize = promisify(fsync);

/**
 * The bytes of large blobs, one file each. They are written beside the event loop; reads are short, and synchronous like
 * those of the database. A file is nothing by itself: it counts once the row of its blob says that it is complete, and
 * it never changes after that.
 *
 * Every method throws {@link EngineUnavailableError} when the file system refuses.
 */
export class BlobFiles {
  readonly #path: string;
  /** The folder itself: a new name survives a power cut once this is on the disk. Windows knows no such thing. */
  readonly #folder: number | null;
  /** Files that no blob names: what a crash left behind. */
  readonly #strays: string[];

  /**
   * Opens the folder, readable by its owner only.
   *
   * @param named the files of all blobs, also of unfinished ones
   */
  constructor(dataFolder: string, named: ReadonlySet<string>) {
    this.#path = join(dataFolder, BLOB_FOLDER);
    mkdirSync(this.#path, { recursive: true, mode: 0o700 });
    this.#strays = readdirSync(this.#path).filter((name) => !named.has(name));
    this.#folder = process.platform === 'win32' ? null : openSync(this.#path, 'r');
  }

  async create(name: string): Promise<BlobFile> {
    const handle = await available(() => open(join(this.#path, name), 'wx', 0o600));
    return new BlobFile(handle, () => this.#synchronizeNames());
  }

  /**
   * The bytes `start` to `end` of a file.
   *
   * @param isReadable asked after each piece: whether the blob may still be read.
   * @throws {Error} also when it may not, or when the file is not there or too short.
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
   * Overwrites a file with zeros, so that an erasure erases as far as the disk writes in place, and removes it. It does no
   * harm if it is not there.
   */
  async remove(name: string): Promise<void> {
    const path = join(this.#path, name);
    await available(async () => {
      await overwrite(path);
      await rm(path, { force: true });
    });
  }

  /** Removes at most `max` files that were left behind. Returns how many. */
  async sweep(max: number): Promise<number> {
    const strays = this.#strays.splice(0, max);
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

/** A file that is being written. What is appended may be changed once `append` has resolved. */
export class BlobFile {
  readonly #handle: FileHandle;
  readonly #synchronizeNames: () => Promise<void>;
  #buffer = Buffer.allocUnsafeSlow(HELD_BYTES);
  #held = 0;
  #length = 0;
  /** Another buffer, which is written while the first is filled, and its way to the file. */
  #leaving = Buffer.allocUnsafeSlow(HELD_BYTES);
  #left: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, synchronizeNames: () => Promise<void>) {
    this.#handle = handle;
    this.#synchronizeNames = synchronizeNames;
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Rejects for bytes of an earlier call as well, whose write has failed since. */
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

  /** Resolves once the bytes, and the name, are on the disk. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#left;
    await available(async () => {
      await Promise.all([this.#handle.sync(), this.#synchronizeNames()]);
    });
  }

  /** More than once does no harm. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#left]);
    await this.#handle.close();
  }

  /** Begins to write what is held, once what was held before is written. */
  async #flush(): Promise<void> {
    await this.#left;
    const bytes = this.#buffer.subarray(0, this.#held);
    [this.#buffer, this.#leaving] = [this.#leaving, this.#buffer];
    this.#held = 0;
    this.#left = available(() => this.#handle.appendFile(bytes));
    // Awaited later, and must not count as a rejection that nobody handles until then.
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

/** What `use` gives, or null where there is no such file. */
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
