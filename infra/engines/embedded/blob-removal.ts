import type { DatabaseSync } from 'node:sqlite';
import type { BlobAddress, BlobGroup } from '../../../topics/ports/blobs.ts';
import type { BlobFiles } from './blob-files.ts';
import type { GroupCommit } from './group-commit.ts';

/**
 * Rows deleted by one transaction: 2 MiB of chunks, so that the removal of many blobs does not block other writes.
 */
const ROWS_A_STEP = 32;

/** A removed blob whose bytes are not deleted yet, with the name of its file, which may not exist. */
export interface MarkedBlob {
  readonly id: number;
  readonly file: string | null;
}

/**
 * Removes blobs in two steps. One transaction marks them as removed, which hides them from readers. Then their files
 * and rows are deleted in bounded transactions, a file before the row that names it. A sweep finishes what a crash
 * interrupts.
 */
export class BlobRemoval {
  readonly #writer: GroupCommit;
  readonly #files: BlobFiles;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: DatabaseSync, writer: GroupCommit, files: BlobFiles) {
    this.#writer = writer;
    this.#files = files;
    this.#statements = prepareStatements(database);
  }

  /** Removes the readable blob at an address, if there is one. Resolves when its bytes are deleted. */
  async remove({ owner, group, name }: BlobAddress): Promise<void> {
    await this.#remove(() => this.#statements.markComplete.all(owner, group, name));
  }

  /** Removes every blob of a group, including unfinished ones. */
  async removeGroup({ owner, group }: BlobGroup): Promise<void> {
    await this.#remove(() => this.#statements.markGroup.all(owner, group));
  }

  /** Removes one blob, whose id is read when the transaction runs; null means none. */
  async removeOne(id: () => number | null): Promise<void> {
    await this.#remove(() => this.#statements.markOne.all(id()));
  }

  /** Removes at most `max` expired or abandoned blobs. Returns their number. */
  async sweep(due: { expiredAt: number; untouchedSince: number; max: number }): Promise<number> {
    return this.#remove(() => {
      this.#statements.markExpired.run(due.expiredAt, due.max);
      this.#statements.markUntouched.run(due.untouchedSince, due.max);
      return this.#statements.marked.all(due.max);
    });
  }

  /** Deletes the bytes of blobs that are marked as removed. */
  async deleteMarked(blobs: readonly MarkedBlob[]): Promise<void> {
    for (const { file } of blobs) if (file !== null) await this.#files.remove(file);
    let left: readonly number[] = blobs.map(({ id }) => id);
    while (left.length > 0) {
      const step = left;
      left = await this.#writer.run(() => this.#deleteStep(step));
    }
  }

  async #remove(mark: () => Record<string, unknown>[]): Promise<number> {
    const marked = await this.#writer.run(() => mark() as unknown as MarkedBlob[]);
    await this.deleteMarked(marked);
    return marked.length;
  }

  /** Deletes the rows of one transaction, and returns the blobs with remaining rows. */
  #deleteStep(ids: readonly number[]): readonly number[] {
    let budget = ROWS_A_STEP;
    for (const [index, id] of ids.entries()) {
      budget -= Number(this.#statements.deleteChunks.run(id, id, budget).changes);
      if (budget === 0) return ids.slice(index);
      this.#statements.deleteBlob.run(id);
      budget -= 1;
      if (budget === 0) return ids.slice(index + 1);
    }
    return [];
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    markComplete: database.prepare(
      `UPDATE blob SET state = 'removed'
       WHERE owner = ? AND blob_group = ? AND name = ? AND state = 'complete' RETURNING id, file`,
    ),
    markGroup: database.prepare(
      "UPDATE blob SET state = 'removed' WHERE owner = ? AND blob_group = ? RETURNING id, file",
    ),
    markOne: database.prepare("UPDATE blob SET state = 'removed' WHERE id = ? RETURNING id, file"),
    markExpired: database.prepare(
      `UPDATE blob SET state = 'removed' WHERE id IN
       (SELECT id FROM blob WHERE state = 'complete' AND expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    ),
    markUntouched: database.prepare(
      `UPDATE blob SET state = 'removed' WHERE id IN
       (SELECT id FROM blob WHERE state = 'writing' AND touched_at <= ? ORDER BY touched_at LIMIT ?)`,
    ),
    marked: database.prepare("SELECT id, file FROM blob WHERE state = 'removed' LIMIT ?"),
    deleteChunks: database.prepare(
      `DELETE FROM blob_chunk WHERE blob_id = ? AND number IN
       (SELECT number FROM blob_chunk WHERE blob_id = ? ORDER BY number LIMIT ?)`,
    ),
    deleteBlob: database.prepare('DELETE FROM blob WHERE id = ?'),
  };
}
