import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { Bell } from './bell.ts';
import type { ServiceClient } from './service-client.ts';
import { inTransaction } from './transaction.ts';

/** How often the worker asks for approved imports. */
const LOOK_EVERY_MS = 2_000;

/** More pages or batches than there can be are an error of whoever sends them. */
const PAGES_MAX = 100;
const BATCHES_MAX = 256;

export const DELIVERY_SCHEMA = `
CREATE TABLE IF NOT EXISTS accepted_batch (
  batch_id TEXT PRIMARY KEY,
  import_id TEXT NOT NULL,
  rows INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS imported_row (
  row_id TEXT PRIMARY KEY,
  batch_id TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

const listSchema = z.object({
  imports: z.array(z.object({ importId: z.string(), batchCount: z.int(), acknowledgedBatches: z.int() })),
  nextCursor: z.string().nullable(),
});

const batchSchema = z.object({
  batchId: z.string(),
  rows: z.array(z.object({ rowId: z.string(), values: z.record(z.string(), z.json()) })),
  nextIndex: z.int().nullable(),
});

type Batch = z.infer<typeof batchSchema>;

export interface ImportAddress {
  readonly workspaceId: string;
  readonly schemaId: string;
}

/**
 * Pulls approved imports and applies each batch once: in one transaction it looks whether the batch is known, writes its
 * rows and writes down that it has; then it acknowledges. A crash between the commit and the acknowledgment repeats the
 * pull, finds the batch known, and acknowledges what is there.
 */
export class ImportDelivery {
  readonly #database: DatabaseSync;
  readonly #service: ServiceClient;
  readonly #imports: string;
  readonly #onTrouble: (sentence: string) => void;
  readonly #bell = new Bell();
  #stopped = false;
  readonly #ended: Promise<void>;

  /** @param service under the capability of one schema */
  constructor(
    database: DatabaseSync,
    service: ServiceClient,
    { workspaceId, schemaId }: ImportAddress,
    onTrouble: (sentence: string) => void,
  ) {
    this.#database = database;
    this.#service = service;
    this.#imports = `/v1/import/delivery/${workspaceId}/${schemaId}/imports`;
    this.#onTrouble = onTrouble;
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#bell.ring();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#pullAll();
      } catch (error) {
        // The next look tries again: nothing was acknowledged that is not in the database.
        this.#onTrouble(error instanceof Error ? error.message : 'pulling imports');
      }
      await this.#bell.wait(LOOK_EVERY_MS);
    }
  }

  async #pullAll(): Promise<void> {
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const { imports, nextCursor } = listSchema.parse(await this.#get(`${this.#imports}${query}`));
      for (const { importId, batchCount, acknowledgedBatches } of imports) {
        if (this.#stopped) return;
        if (acknowledgedBatches < batchCount) await this.#tryPull(importId);
      }
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  /** An import that is refused, because it was cancelled or its time is over, keeps nobody from the others. */
  async #tryPull(importId: string): Promise<void> {
    try {
      await this.#pull(importId);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.status !== GONE) this.#onTrouble(error.message);
    }
  }

  async #pull(importId: string): Promise<void> {
    let index: number | null = 0;
    for (let batches = 0; index !== null && batches < BATCHES_MAX; batches += 1) {
      const path = `${this.#imports}/${importId}/batches?index=${index}`;
      const batch: Batch = batchSchema.parse(await this.#get(path));
      this.#apply(importId, batch);
      await this.#acknowledge(importId, batch);
      index = batch.nextIndex;
    }
  }

  /** All of the batch or nothing, once. */
  #apply(importId: string, { batchId, rows }: Batch): void {
    inTransaction(this.#database, () => {
      const { changes } = this.#database
        .prepare(
          'INSERT INTO accepted_batch (batch_id, import_id, rows) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        )
        .run(batchId, importId, rows.length);
      if (changes === 0) return;
      // A corrected file has batches of new ids with rows that were in another one before.
      const insert = this.#database.prepare(
        'INSERT INTO imported_row (row_id, batch_id, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      );
      for (const { rowId, values } of rows) insert.run(rowId, batchId, JSON.stringify(values));
    });
  }

  async #acknowledge(importId: string, { batchId, rows }: Batch): Promise<void> {
    const { status, code } = await this.#service.send('POST', `${this.#imports}/${importId}/ack`, {
      version: 'svcimport.acknowledge.v1',
      importId,
      ack: {
        version: 'svcimport.ack.v1',
        batchId,
        status: 'accepted',
        acceptedRowIds: rows.map(({ rowId }) => rowId),
      },
    });
    if (status !== 200) throw new RefusedError('acknowledging a batch', status, code);
  }

  async #get(path: string): Promise<unknown> {
    const { status, code, body } = await this.#service.send('GET', path);
    if (status !== 200) throw new RefusedError('pulling', status, code);
    return body;
  }
}

const GONE = 410;

class RefusedError extends Error {
  readonly status: number;

  constructor(action: string, status: number, code: string | null) {
    super(`${action}: ${status} ${code ?? ''}`.trim());
    this.name = 'RefusedError';
    this.status = status;
  }
}
