import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import type {
  BlobAddress,
  BlobGroup,
  BlobOptions,
  Blobs,
  BlobWriter,
  ByteRange,
} from '../../../topics/ports/blobs.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { storedRange } from '../shared/blob-steps.ts';
import { BlobFiles } from './blob-files.ts';
import { BlobRemoval } from './blob-removal.ts';
import { type BlobWriterStatements, EmbeddedBlobWriter, prepareBlobWriter } from './blob-writer.ts';
import { reading } from './database.ts';
import type { DiskRoom } from './disk-room.ts';
import type { GroupCommit } from './group-commit.ts';

/** Time without a write after which an unfinished blob is abandoned: its writer is gone. */
export const UNFINISHED_KEPT_MS = HOUR_MS;

/** The size of every row of a blob except the last: schema version 1 had larger blobs in rows as well. */
const CHUNK_BYTES = 64 * 1024;

/** The folder of the blobs' files, and its clock. */
export interface BlobPlace {
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly room: DiskRoom;
}

interface BlobRow {
  readonly id: number;
  readonly length: number;
  /** The name of its file, or null for a blob in rows. */
  readonly file: string | null;
}

/**
 * Blobs of the embedded engine: small ones in its database, large ones in files. A blob is readable once its row is
 * `complete`.
 */
export class EmbeddedBlobs implements Blobs {
  readonly #statements: BlobWriterStatements;
  readonly #writer: GroupCommit;
  readonly #files: BlobFiles;
  readonly #clock: Clock;
  readonly #room: DiskRoom;
  readonly #removal: BlobRemoval;
  readonly #find: StatementSync;
  readonly #chunk: StatementSync;
  readonly #readable: StatementSync;

  constructor(database: DatabaseSync, writer: GroupCommit, { folder, clock, room }: BlobPlace) {
    this.#statements = prepareBlobWriter(database);
    this.#writer = writer;
    this.#files = new BlobFiles(folder, namedFiles(database));
    this.#clock = clock;
    this.#room = room;
    this.#removal = new BlobRemoval(database, writer, this.#files);
    this.#readable = database.prepare(
      "SELECT 1 FROM blob WHERE id = ? AND state = 'complete' AND (expires_at IS NULL OR expires_at > ?)",
    );
    this.#find = database.prepare(
      `SELECT id, length, file FROM blob WHERE owner = ? AND blob_group = ? AND name = ? AND state = 'complete'
       AND (expires_at IS NULL OR expires_at > ?)`,
    );
    this.#chunk = database.prepare(
      `SELECT bytes FROM blob_chunk JOIN blob ON blob.id = blob_id
       WHERE blob_id = ? AND number = ? AND state = 'complete' AND (expires_at IS NULL OR expires_at > ?)`,
    );
  }

  create(address: BlobAddress, options: BlobOptions): BlobWriter {
    return new EmbeddedBlobWriter({
      statements: this.#statements,
      writer: this.#writer,
      files: this.#files,
      room: this.#room,
      clock: this.#clock,
      removal: this.#removal,
      address,
      options,
    });
  }

  async size(address: BlobAddress): Promise<number | null> {
    return (await this.#complete(address))?.length ?? null;
  }

  async read(address: BlobAddress, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null> {
    const blob = await this.#complete(address);
    if (blob === null) return null;
    const stored = storedRange(blob.length, range);
    const { id, file } = blob;
    if (file === null) return this.#pieces(id, stored);
    return this.#files.read(file, stored, () => this.#isReadable(id));
  }

  async remove(address: BlobAddress): Promise<void> {
    await this.#removal.remove(address);
  }

  async removeGroup(group: BlobGroup): Promise<void> {
    await this.#removal.removeGroup(group);
  }

  /**
   * Removes at most `max` blobs that have expired, were abandoned or whose removal was interrupted, and orphaned
   * files. Returns their number.
   */
  async sweep(now: number, max: number): Promise<number> {
    const untouchedSince = now - UNFINISHED_KEPT_MS;
    const removed = await this.#removal.sweep({ expiredAt: now, untouchedSince, max });
    return removed + (await this.#files.sweep(max - removed));
  }

  async #complete({ owner, group, name }: BlobAddress): Promise<BlobRow | null> {
    const row = reading('blobs', () => this.#find.get(owner, group, name, this.#clock.now()));
    await this.#writer.synchronized();
    return (row as BlobRow | undefined) ?? null;
  }

  #isReadable(id: number): boolean {
    return reading('blobs', () => this.#readable.get(id, this.#clock.now())) !== undefined;
  }

  close(): void {
    this.#files.close();
  }

  async *#pieces(id: number, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end; ) {
      const number = Math.floor(position / CHUNK_BYTES);
      const chunkStart = number * CHUNK_BYTES;
      const bytes = this.#bytes(id, number).subarray(position - chunkStart, end - chunkStart);
      position += bytes.length;
      yield bytes;
    }
  }

  #bytes(id: number, number: number): Uint8Array {
    const row = reading('blobs', () => this.#chunk.get(id, number, this.#clock.now()));
    if (row === undefined) throw new Error('reading a blob that was removed meanwhile');
    return row['bytes'] as Uint8Array;
  }
}

function namedFiles(database: DatabaseSync): ReadonlySet<string> {
  const rows = database.prepare('SELECT file FROM blob WHERE file IS NOT NULL').all();
  return new Set(rows.map(({ file }) => String(file)));
}
