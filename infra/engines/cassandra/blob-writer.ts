import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type { BlobAddress, BlobOptions, BlobWriter } from '../../../topics/ports/blobs.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { BlobSteps } from '../shared/blob-steps.ts';
import type { BlobTable } from './blob-table.ts';
import { secondsToLive } from './expiry.ts';
import type { WriteTimestamps } from './write-timestamps.ts';

/** The size of each chunk of a blob except the last. */
export const CHUNK_BYTES = 256 * 1024;

/** Time that rows outlive their expiry, so that a server whose clock is ahead removes none too early. */
const ROWS_KEPT_MS = MINUTE_MS;

export interface BlobWriterDependencies {
  readonly table: BlobTable;
  readonly timestamps: WriteTimestamps;
  readonly clock: Clock;
  readonly address: BlobAddress;
  readonly options: BlobOptions;
}

/**
 * Writes one blob: chunks under the name of the attempt, then the manifest, which makes them readable in place of the
 * previous attempt. Each write carries the time at which the writer was created, so a later removal of the group also
 * removes what this writer still writes, and `close` fails. The same happens to a writer whose clock is so far behind
 * that its time is before an earlier removal. A second close, and an abort after a successful close, do nothing.
 */
export class CassandraBlobWriter implements BlobWriter {
  readonly #dependencies: BlobWriterDependencies;
  readonly #steps = new BlobSteps();
  readonly #attempt = randomUUID();
  readonly #stamp: bigint;
  readonly #seconds: number;
  /** Copies of the bytes since the last chunk. */
  #pieces: Buffer[] = [];
  #held = 0;
  #chunks = 0;
  #length = 0;

  constructor(dependencies: BlobWriterDependencies) {
    this.#dependencies = dependencies;
    this.#stamp = dependencies.timestamps.after(0n);
    this.#seconds = secondsToLive(dependencies.options.expiresAt, dependencies.clock.now(), ROWS_KEPT_MS);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#steps.run(async () => {
      for (let position = 0; position < bytes.length; ) {
        const piece = bytes.subarray(position, position + CHUNK_BYTES - this.#held);
        this.#pieces.push(Buffer.from(piece));
        this.#held += piece.length;
        position += piece.length;
        if (this.#held === CHUNK_BYTES) await this.#flush();
      }
    });
  }

  async close(): Promise<void> {
    if (this.#steps.areOver) return;
    await this.#steps.runLast(async () => {
      if (this.#held > 0) await this.#flush();
      await this.#publish();
    });
  }

  async abort(): Promise<void> {
    if (this.#steps.areOver) return;
    this.#steps.abort();
    this.#drop();
    const { table, address } = this.#dependencies;
    const removals = [table.removeChunks(address, this.#attempt, this.#stamp)];
    // A close without an answer may still have published the blob.
    const manifest = await table.manifest(address);
    if (manifest?.attempt === this.#attempt) removals.push(table.removeManifest(address, manifest.stamp));
    await table.write(removals);
  }

  async #flush(): Promise<void> {
    const { table, address } = this.#dependencies;
    const chunk = { attempt: this.#attempt, number: this.#chunks, bytes: Buffer.concat(this.#pieces) };
    await table.write([table.putChunk(address, chunk, { stamp: this.#stamp, seconds: this.#seconds })]);
    this.#length += this.#held;
    this.#chunks += 1;
    this.#drop();
  }

  #drop(): void {
    this.#pieces = [];
    this.#held = 0;
  }

  /** Points the manifest to this attempt and removes the chunks of the previous one, in one batch. */
  async #publish(): Promise<void> {
    const { table, address, options, timestamps } = this.#dependencies;
    const earlier = await table.manifest(address);
    const stamp =
      earlier !== null && earlier.stamp >= this.#stamp ? timestamps.after(earlier.stamp) : this.#stamp;
    const manifest = { attempt: this.#attempt, length: this.#length, expiresAt: options.expiresAt, stamp };
    const replaced = earlier === null ? [] : [table.removeChunks(address, earlier.attempt, stamp)];
    await table.write([table.putManifest(address, manifest, this.#seconds), ...replaced]);
    const readable = await table.manifest(address);
    if (readable === null) throw new Error('writing a blob that was removed meanwhile');
    // Another writer has written the whole blob meanwhile, with a later timestamp, and has replaced this attempt.
    if (readable.attempt !== this.#attempt) {
      await table.write([table.removeChunks(address, this.#attempt, stamp)]);
    }
  }
}
