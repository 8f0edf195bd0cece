import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

export const ACCEPTED_SCHEMA = `
CREATE TABLE IF NOT EXISTS applied_batch (
  batch_id TEXT PRIMARY KEY,
  row_ids TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS imported_row (
  row_id TEXT PRIMARY KEY,
  batch_id TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS acknowledgment (
  import_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'done', 'refused')),
  reason TEXT,
  PRIMARY KEY (import_id, batch_id)
) STRICT;
CREATE INDEX IF NOT EXISTS acknowledgment_due ON acknowledgment (import_id) WHERE state = 'due';
`;

/** A batch as it was pulled. */
export interface PulledBatch {
  readonly batchId: string;
  readonly rows: readonly { readonly rowId: string; readonly values: unknown }[];
}

/** A batch that is applied, and that the service has to be told of. */
export interface DueAcknowledgment {
  readonly importId: string;
  readonly batchId: string;
  readonly rowIds: readonly string[];
}

/**
 * The batches that this application has applied, in its own database. Row ids are kept under their batch: an
 * acknowledgment can be sent from here alone, also when the batch itself can no longer be pulled.
 */
export class AcceptedBatches {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Applies all of a batch or nothing, once, and writes down in the same transaction that it has to be acknowledged. The same
   * file in another import has the same batches: they are not applied again, and each import is acknowledged.
   */
  apply(importId: string, { batchId, rows }: PulledBatch): void {
    inTransaction(this.#database, () => {
      this.#database
        .prepare(
          // A batch that can be pulled can be acknowledged, whatever was answered before.
          `INSERT INTO acknowledgment (import_id, batch_id) VALUES (?, ?)
           ON CONFLICT DO UPDATE SET state = 'due', reason = NULL WHERE state = 'refused'`,
        )
        .run(importId, batchId);
      const { changes } = this.#database
        .prepare('INSERT INTO applied_batch (batch_id, row_ids) VALUES (?, ?) ON CONFLICT DO NOTHING')
        .run(batchId, JSON.stringify(rows.map(({ rowId }) => rowId)));
      if (changes === 0) return;
      // A corrected file has batches of new ids with rows that were in another one before.
      const insert = this.#database.prepare(
        'INSERT INTO imported_row (row_id, batch_id, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      );
      for (const { rowId, values } of rows) insert.run(rowId, batchId, JSON.stringify(values));
    });
  }

  /** Acknowledgments that the service has not answered yet. */
  due(limit: number): DueAcknowledgment[] {
    const rows = this.#database
      .prepare(
        `SELECT import_id, batch_id, row_ids FROM acknowledgment JOIN applied_batch USING (batch_id)
         WHERE state = 'due' ORDER BY acknowledgment.rowid LIMIT ?`,
      )
      .all(limit);
    return rows.map((row) => ({
      importId: String(row['import_id']),
      batchId: String(row['batch_id']),
      rowIds: JSON.parse(String(row['row_ids'])) as string[],
    }));
  }

  /** The service has answered: with the stored acceptance, or with a refusal that no repeat would change. */
  settle(
    { importId, batchId }: Pick<DueAcknowledgment, 'importId' | 'batchId'>,
    state: 'done' | 'refused',
    reason: string | null,
  ): void {
    this.#database
      .prepare('UPDATE acknowledgment SET state = ?, reason = ? WHERE import_id = ? AND batch_id = ?')
      .run(state, reason, importId, batchId);
  }
}
