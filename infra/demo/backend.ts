import type { Client } from './client.ts';

export interface Batch {
  readonly index: number;
  readonly batchId: string;
  readonly manifest: {
    readonly schemaId: string;
    readonly schemaRevision: number;
    readonly index: number;
    readonly firstRow: number;
    readonly rowIds: readonly string[];
  };
  readonly rows: readonly BatchRow[];
  readonly nextIndex: number | null;
}

export interface BatchRow {
  readonly row: number;
  readonly rowId: string;
  readonly values: Readonly<Record<string, string | boolean | null>>;
}

/** The session that the customer's backend hands to a browser. */
export interface PageSession {
  readonly sessionToken: string;
  readonly origin: string;
  readonly maxRows: number;
}

/** The purpose of a capability. */
export interface Delivery {
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly capability: string;
}

/** More batches than an import can have; a chain of `nextIndex` beyond it is an error. */
const BATCHES_MAX = 256;

/** The customer's backend: pulls approved batches, applies them to its database, and acknowledges each. */
export class Backend {
  readonly #client: Client;
  readonly #imports: string;
  readonly #sessions: string;
  readonly #capability: string;

  constructor(client: Client, { workspaceId, schemaId, capability }: Delivery) {
    this.#client = client;
    this.#imports = `/v1/import/delivery/${workspaceId}/${schemaId}/imports`;
    this.#sessions = `/v1/import/sessions/${workspaceId}/${schemaId}`;
    this.#capability = capability;
  }

  /** A short-lived session for one user's browser, on the page of the capability's origin. */
  mintSession(): Promise<PageSession> {
    const json = { version: 'svcimport.mint-session.v1' };
    return this.#client.send('POST', this.#sessions, 201, { bearer: this.#capability, json });
  }

  /** The imports that can be pulled, oldest first. */
  async deliverable(): Promise<readonly { readonly importId: string; readonly status: string }[]> {
    interface List {
      readonly imports: { readonly importId: string; readonly status: string }[];
    }
    return (await this.#get<List>(this.#imports)).imports;
  }

  /** Every batch of an import in order, by following `nextIndex` from 0. */
  async *batches(importId: string): AsyncGenerator<Batch> {
    let index: number | null = 0;
    for (let pulled = 0; index !== null; pulled += 1) {
      if (pulled === BATCHES_MAX) throw new Error(`following nextIndex beyond ${BATCHES_MAX} batches`);
      const batch: Batch = await this.#get(`${this.#imports}/${importId}/batches?index=${index}`);
      yield batch;
      index = batch.nextIndex;
    }
  }

  /** Says that the whole batch is in the customer's database. */
  acknowledge(importId: string, { batchId, rows }: Batch): Promise<{ readonly remainingBatches: number }> {
    return this.#client.send('POST', `${this.#imports}/${importId}/ack`, 200, {
      bearer: this.#capability,
      json: {
        version: 'svcimport.acknowledge.v1',
        importId,
        ack: {
          version: 'svcimport.ack.v1',
          batchId,
          status: 'accepted',
          acceptedRowIds: rows.map(({ rowId }) => rowId),
        },
      },
    });
  }

  async status(importId: string): Promise<string> {
    return (await this.#get<{ readonly status: string }>(`${this.#imports}/${importId}`)).status;
  }

  #get<Body>(path: string): Promise<Body> {
    return this.#client.send('GET', path, 200, { bearer: this.#capability });
  }
}
