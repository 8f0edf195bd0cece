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
import { BlobTable, type Manifest } from './blob-table.ts';
import { CassandraBlobWriter, CHUNK_BYTES } from './blob-writer.ts';
import { isLive } from './expiry.ts';
import type { CassandraSession } from './session.ts';
import { WriteTimestamps } from './write-timestamps.ts';

/**
 * Blobs in Cassandra, in chunks of 256 KiB. A group is one partition. A blob is readable once its manifest is
 * written, and gone when it has expired by the reader's clock. Its rows expire within a minute after that. A later
 * compaction frees the disk.
 */
export class CassandraBlobs implements Blobs {
  readonly #table: BlobTable;
  readonly #clock: Clock;
  readonly #timestamps: WriteTimestamps;

  constructor(session: CassandraSession, clock: Clock) {
    this.#table = new BlobTable(session);
    this.#clock = clock;
    this.#timestamps = new WriteTimestamps(clock);
  }

  create(address: BlobAddress, options: BlobOptions): BlobWriter {
    return new CassandraBlobWriter({
      table: this.#table,
      timestamps: this.#timestamps,
      clock: this.#clock,
      address: { ...address },
      options: { ...options },
    });
  }

  async size(address: BlobAddress): Promise<number | null> {
    return (await this.#readable(address))?.length ?? null;
  }

  async read(address: BlobAddress, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null> {
    const manifest = await this.#readable(address);
    if (manifest === null) return null;
    return this.#pieces({ ...address }, manifest, storedRange(manifest.length, range));
  }

  async remove(address: BlobAddress): Promise<void> {
    const manifest = await this.#table.manifest(address);
    if (manifest === null) return;
    // The blob's own timestamp suffices to remove it, and spares a blob written after it.
    await this.#table.write([
      this.#table.removeManifest(address, manifest.stamp),
      this.#table.removeChunks(address, manifest.attempt, manifest.stamp),
    ]);
  }

  async removeGroup(group: BlobGroup): Promise<void> {
    const stamp = this.#timestamps.after(await this.#table.latestStamp(group));
    await this.#table.write([this.#table.removeGroup(group, stamp)]);
  }

  async #readable(address: BlobAddress): Promise<Manifest | null> {
    const manifest = await this.#table.manifest(address);
    return manifest !== null && isLive(manifest.expiresAt, this.#clock.now()) ? manifest : null;
  }

  async *#pieces(
    address: BlobAddress,
    { attempt, expiresAt }: Manifest,
    { start, end }: ByteRange,
  ): AsyncGenerator<Uint8Array> {
    for (let position = start; position < end; ) {
      const number = Math.floor(position / CHUNK_BYTES);
      const chunkStart = number * CHUNK_BYTES;
      const chunk = await this.#table.chunk(address, attempt, number);
      if (chunk === null || !isLive(expiresAt, this.#clock.now())) {
        throw new Error('reading a blob that was removed meanwhile');
      }
      const bytes = chunk.subarray(position - chunkStart, end - chunkStart);
      position += bytes.length;
      yield bytes;
    }
  }
}
