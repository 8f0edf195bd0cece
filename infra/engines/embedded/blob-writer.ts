import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type { BlobAddress, BlobOptions, BlobWriter } from '../../../topics/ports/blobs.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { BlobSteps } from '../shared/blob-steps.ts';
import type { BlobFile, BlobFiles } from './blob-files.ts';
import type { BlobRemoval, MarkedBlob } from './blob-removal.ts';
import type { DiskRoom } from './disk-room.ts';
import type { GroupCommit } from './group-commit.ts';

/** Largest blob in a row of the database, where many share a write; a larger one becomes a file. */
export const ROW_BYTES_MAX = 64 * 1024;

/** Interval at which a writer marks its blob as still being written. */
const TOUCHED_EVERY_MS = MINUTE_MS;

export interface BlobWriterDependencies {
  readonly statements: BlobWriterStatements;
  readonly writer: GroupCommit;
  readonly files: BlobFiles;
  readonly room: DiskRoom;
  readonly clock: Clock;
  readonly removal: BlobRemoval;
  readonly address: BlobAddress;
  readonly options: BlobOptions;
}

/**
 * Writes one blob. The blob is registered as unfinished from the start, so that removals of its group and sweeps find
 * it. A writer whose blob was removed fails at its next step, at the latest in `close`. A second close, and an abort
 * after a successful close, do nothing.
 */
export class EmbeddedBlobWriter implements BlobWriter {
  readonly #dependencies: BlobWriterDependencies;
  readonly #steps = new BlobSteps();
  readonly #statements: BlobWriterStatements;
  /** The name of the file, if the blob becomes one. */
  readonly #name = randomUUID();
  #id: number | null = null;
  #touchedAt: number;
  /** Copies of the written bytes, until there is a file. */
  #pieces: Buffer[] = [];
  #held = 0;
  #file: BlobFile | null = null;

  constructor(dependencies: BlobWriterDependencies) {
    this.#dependencies = dependencies;
    this.#statements = dependencies.statements;
    this.#touchedAt = dependencies.clock.now();
    // The operations of a writer run in the order of their queueing, so none waits for the registration. A failed
    // registration leaves no id, and then the next operation fails.
    dependencies.writer.runDeferred(() => this.#register()).catch(() => {});
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#steps.run(async () => {
      if (!this.#dependencies.room.takeForBlob(bytes.length)) throw new EngineUnavailableError('blobs');
      if (this.#file === null && this.#held + bytes.length <= ROW_BYTES_MAX) {
        this.#pieces.push(Buffer.from(bytes));
        this.#held += bytes.length;
        return;
      }
      const file = this.#file ?? (await this.#begin());
      await file.append(bytes);
      await this.#stayAlive();
    });
  }

  async close(): Promise<void> {
    if (this.#steps.areOver) return;
    await this.#steps.runLast(async () => {
      await this.#file?.finish();
      await this.#file?.close();
      const replaced = await this.#write(() => this.#complete());
      await this.#dependencies.removal.deleteMarked(replaced);
    });
  }

  async abort(): Promise<void> {
    if (this.#steps.areOver) return;
    this.#steps.abort();
    this.#pieces = [];
    await this.#file?.close();
    await this.#dependencies.removal.removeOne(() => this.#id);
    // An earlier removal of the row may not have found the file. Only now no row names it for certain, even after a
    // failed close.
    if (this.#file !== null) await this.#dependencies.files.remove(this.#name);
  }

  /** Returns the file, with the bytes written before the blob became one. */
  async #begin(): Promise<BlobFile> {
    const file = await this.#dependencies.files.create(this.#name);
    this.#file = file;
    for (const piece of this.#pieces) await file.append(piece);
    this.#pieces = [];
    this.#held = 0;
    return file;
  }

  async #stayAlive(): Promise<void> {
    const now = this.#dependencies.clock.now();
    if (now - this.#touchedAt < TOUCHED_EVERY_MS) return;
    await this.#write(() => this.#touch());
    this.#touchedAt = now;
  }

  #write<Result>(operation: () => Result): Promise<Result> {
    const { writer, options } = this.#dependencies;
    return options.patient === true ? writer.runDeferred(operation) : writer.run(operation);
  }

  #register(): void {
    const { owner, group, name } = this.#dependencies.address;
    const { expiresAt } = this.#dependencies.options;
    const row = this.#statements.register.get(owner, group, name, expiresAt, this.#touchedAt, this.#name);
    this.#id = Number(row?.['id']);
  }

  /** Marks the blob as still being written, and checks that it exists. */
  #touch(): number {
    const touched =
      this.#id !== null && this.#statements.touch.run(this.#dependencies.clock.now(), this.#id).changes === 1;
    if (this.#id === null || !touched) throw new Error('writing a blob that was removed meanwhile');
    return this.#id;
  }

  /** Makes the blob readable, from its file or a row. Returns the blob that it replaces. */
  #complete(): MarkedBlob[] {
    const id = this.#touch();
    const { owner, group, name } = this.#dependencies.address;
    const replaced = this.#statements.replace.all(owner, group, name) as unknown as MarkedBlob[];
    if (this.#held > 0) this.#statements.insertRow.run(id, Buffer.concat(this.#pieces));
    const file = this.#file === null ? null : this.#name;
    this.#statements.complete.run(this.#file?.length ?? this.#held, file, id);
    return replaced;
  }
}

export type BlobWriterStatements = ReturnType<typeof prepareBlobWriter>;

/** Prepares the statements that all writers of a database share. */
export function prepareBlobWriter(database: DatabaseSync) {
  return {
    register: database.prepare(
      `INSERT INTO blob (owner, blob_group, name, state, expires_at, touched_at, file)
       VALUES (?, ?, ?, 'writing', ?, ?, ?) RETURNING id`,
    ),
    touch: database.prepare("UPDATE blob SET touched_at = ? WHERE id = ? AND state = 'writing'"),
    insertRow: database.prepare('INSERT INTO blob_chunk (blob_id, number, bytes) VALUES (?, 0, ?)'),
    replace: database.prepare(
      `UPDATE blob SET state = 'removed'
       WHERE owner = ? AND blob_group = ? AND name = ? AND state = 'complete' RETURNING id, file`,
    ),
    complete: database.prepare("UPDATE blob SET state = 'complete', length = ?, file = ? WHERE id = ?"),
  };
}
