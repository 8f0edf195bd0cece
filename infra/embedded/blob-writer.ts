import type { DatabaseSync } from 'node:sqlite';
import type { BlobAddress, BlobOptions, BlobWriter } from '../../topics/ports/blobs.ts';
import type { Clock } from '../../topics/ports/clock.ts';
import type { BlobRemoval } from './blob-removal.ts';
import type { GroupCommit } from './group-commit.ts';

/** The size of every chunk of a blob but the last one: small, because a range costs the reading of whole chunks. */
export const CHUNK_BYTES = 64 * 1024;

/** What a writer holds before it writes chunks, all in one transaction. */
const HELD_BYTES = 4 * CHUNK_BYTES;

export interface BlobWriterParts {
  readonly statements: BlobWriterStatements;
  readonly writer: GroupCommit;
  readonly clock: Clock;
  readonly removal: BlobRemoval;
  readonly address: BlobAddress;
  readonly options: BlobOptions;
}

/**
 * Writes one blob. It is registered as unfinished from the start, so that whoever removes its group or sweeps up
 * finds it; a writer whose blob was removed fails at its next step. Closing twice, and aborting after a close that
 * succeeded, does nothing.
 */
export class EmbeddedBlobWriter implements BlobWriter {
  readonly #parts: BlobWriterParts;
  readonly #statements: BlobWriterStatements;
  #id: number | null = null;
  /** Copies of what was written since the last transaction. */
  #pieces: Buffer[] = [];
  #held = 0;
  #chunks = 0;
  #length = 0;
  #state: 'open' | 'busy' | 'closed' | 'failed' = 'open';

  constructor(parts: BlobWriterParts) {
    this.#parts = parts;
    this.#statements = parts.statements;
    // The operations of this writer run in the order they are queued in, so none of them has to wait for the
    // registration; one that failed leaves no id, and then the next one fails.
    parts.writer.runPatiently(() => this.#register()).catch(() => {});
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#exclusively(async () => {
      for (let position = 0; position < bytes.length; ) {
        const piece = bytes.subarray(position, position + HELD_BYTES - this.#held);
        this.#pieces.push(Buffer.from(piece));
        this.#held += piece.length;
        position += piece.length;
        if (this.#held === HELD_BYTES) await this.#flush();
      }
    });
    this.#state = 'open';
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    await this.#exclusively(async () => {
      const replaced = await this.#write(() => this.#complete());
      await this.#parts.removal.deleteMarked(replaced);
    });
    this.#state = 'closed';
  }

  async abort(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'failed';
    this.#drop();
    await this.#parts.removal.removeOne(() => this.#id);
  }

  async #exclusively(step: () => Promise<void>): Promise<void> {
    if (this.#state !== 'open') throw new Error(`writing to a blob writer that is ${this.#state}`);
    this.#state = 'busy';
    try {
      await step();
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  async #flush(): Promise<void> {
    await this.#write(() => this.#insertChunks(this.#touch()));
    this.#length += this.#held;
    this.#chunks += this.#held / CHUNK_BYTES;
    this.#drop();
  }

  #write<Result>(operation: () => Result): Promise<Result> {
    const { writer, options } = this.#parts;
    return options.patient === true ? writer.runPatiently(operation) : writer.run(operation);
  }

  #drop(): void {
    this.#pieces = [];
    this.#held = 0;
  }

  #register(): void {
    const { owner, group, name } = this.#parts.address;
    const { expiresAt } = this.#parts.options;
    const row = this.#statements.register.get(owner, group, name, expiresAt, this.#parts.clock.now());
    this.#id = Number(row?.['id']);
  }

  /** Marks the blob as still being written, and makes sure that it is. */
  #touch(): number {
    const touched =
      this.#id !== null && this.#statements.touch.run(this.#parts.clock.now(), this.#id).changes === 1;
    if (this.#id === null || !touched) throw new Error('writing a blob that was removed meanwhile');
    return this.#id;
  }

  #insertChunks(id: number): void {
    const bytes = Buffer.concat(this.#pieces);
    for (let start = 0, number = this.#chunks; start < bytes.length; start += CHUNK_BYTES, number += 1) {
      this.#statements.insertChunk.run(id, number, bytes.subarray(start, start + CHUNK_BYTES));
    }
  }

  /** Writes the rest and makes the blob readable, instead of an earlier one, whose id is returned. */
  #complete(): number[] {
    const id = this.#touch();
    this.#insertChunks(id);
    const { owner, group, name } = this.#parts.address;
    const replaced = this.#statements.replace.all(owner, group, name);
    this.#statements.complete.run(this.#length + this.#held, id);
    return replaced.map((row) => Number(row['id']));
  }
}

export type BlobWriterStatements = ReturnType<typeof prepareBlobWriter>;

/** The statements that all writers of a database share. */
export function prepareBlobWriter(database: DatabaseSync) {
  return {
    register: database.prepare(
      `INSERT INTO blob (owner, blob_group, name, state, expires_at, touched_at)
       VALUES (?, ?, ?, 'writing', ?, ?) RETURNING id`,
    ),
    touch: database.prepare("UPDATE blob SET touched_at = ? WHERE id = ? AND state = 'writing'"),
    insertChunk: database.prepare('INSERT INTO blob_chunk (blob_id, number, bytes) VALUES (?, ?, ?)'),
    replace: database.prepare(
      `UPDATE blob SET state = 'removed'
       WHERE owner = ? AND blob_group = ? AND name = ? AND state = 'complete' RETURNING id`,
    ),
    complete: database.prepare("UPDATE blob SET state = 'complete', length = ? WHERE id = ?"),
  };
}
