import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { HOUR_MS } from '../../schemas/base/time.ts';
import type {
  BlobAddress,
  BlobGroup,
  BlobOptions,
  Blobs,
  BlobWriter,
  ByteRange,
} from '../../topics/ports/blobs.ts';
import type { Clock } from '../../topics/ports/clock.ts';
import { BlobRemoval } from './blob-removal.ts';
import {
  type BlobWriterStatements,
  CHUNK_BYTES,
  EmbeddedBlobWriter,
  prepareBlobWriter,
} from './blob-writer.ts';
import { reading } from './database.ts';
import type { GroupCommit } from './group-commit.ts';

/** A blob that nobody has written to for so long is given up: its writer is gone. */
export const UNFINISHED_KEPT_MS = HOUR_MS;

interface BlobRow {
  readonly id: number;
  readonly length: number;
}

/** Blobs in the embedded database, in chunks of 64 KiB. A blob is readable once its row says `complete`. */
export class EmbeddedBlobs implements Blobs {
  readonly #statements: BlobWriterStatements;
  readonly #writer: GroupCommit;
  readonly #clock: Clock;
  readonly #removal: BlobRemoval;
  readonly #find: StatementSync;
  readonly #chunk: StatementSync;

  constructor(database: DatabaseSync, writer: GroupCommit, clock: Clock) {
    this.#statements = prepareBlobWriter(database);
    this.#writer = writer;
    this.#clock = clock;
    this.#removal = new BlobRemoval(database, writer);
    this.#find = database.prepare(
      `SELECT id, length FROM blob WHERE owner = ? AND blob_group = ? AND name = ? AND state = 'complete'
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
      clock: this.#clock,
      removal: this.#removal,
      address,
      options,
    });
  }

  async size(address: BlobAddress): Promise<number | null> {
    return this.#complete(address)?.length ?? null;
  }

  async read(address: BlobAddress, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null> {
    const blob = this.#complete(address);
    if (blob === null) return null;
    const start = Math.max(0, range?.start ?? 0);
    const end = Math.min(blob.length, range?.end ?? blob.length);
    return this.#pieces(blob.id, start, end);
  }

  async remove(address: BlobAddress): Promise<void> {
    await this.#removal.remove(address);
  }

  async removeGroup(group: BlobGroup): Promise<void> {
    await this.#removal.removeGroup(group);
  }

  /**
   * Removes at most `max` blobs that are expired, were given up by their writer, or whose removal was interrupted.
   * Returns how many.
   */
  async sweep(now: number, max: number): Promise<number> {
    return this.#removal.sweep({ expiredAt: now, untouchedSince: now - UNFINISHED_KEPT_MS, max });
  }

  #complete({ owner, group, name }: BlobAddress): BlobRow | null {
    const row = reading('blobs', () => this.#find.get(owner, group, name, this.#clock.now()));
    return (row as BlobRow | undefined) ?? null;
  }

  async *#pieces(id: number, start: number, end: number): AsyncGenerator<Uint8Array> {
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
