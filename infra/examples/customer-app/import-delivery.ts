import { z } from 'zod';
import type { AcceptedBatches, DueAcknowledgment } from './accepted-batches.ts';
import type { ServiceAnswer, ServiceClient } from './service-client.ts';
import { Signal } from './signal.ts';

/** The pause between two requests for approved imports. */
const POLL_INTERVAL_MS = 2_000;

/** More pages or batches than an import can have are a server's error. */
const PAGES_MAX = 100;
const BATCHES_MAX = 256;

/** Acknowledgments that are read from the database at once. */
const ACKNOWLEDGMENTS_AT_ONCE = 100;

const listSchema = z.object({
  imports: z.array(z.object({ importId: z.string() })),
  nextCursor: z.string().nullable(),
});

const batchSchema = z.object({
  batchId: z.string(),
  rows: z.array(z.object({ rowId: z.string(), values: z.record(z.string(), z.json()) })),
  nextIndex: z.int().nullable(),
});

export interface ImportAddress {
  readonly workspaceId: string;
  readonly schemaId: string;
}

/**
 * Pulls approved imports and applies each batch once: in one transaction it looks whether the batch is known, writes its
 * rows and writes down that it has to be acknowledged. Acknowledgments are sent from that table, and before anything is
 * pulled: what was applied is told although the import has ended meanwhile and has no batches any more.
 */
export class ImportDelivery {
  readonly #batches: AcceptedBatches;
  readonly #service: ServiceClient;
  readonly #imports: string;
  readonly #onFailure: (sentence: string) => void;
  readonly #signal = new Signal();
  #stopped = false;
  readonly #ended: Promise<void>;

  /** @param service under the capability of one schema */
  constructor(
    batches: AcceptedBatches,
    service: ServiceClient,
    { workspaceId, schemaId }: ImportAddress,
    onFailure: (sentence: string) => void,
  ) {
    this.#batches = batches;
    this.#service = service;
    this.#imports = `/v1/import/delivery/${workspaceId}/${schemaId}/imports`;
    this.#onFailure = onFailure;
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#signal.notify();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#acknowledgeDue();
        await this.#pullAll();
      } catch (error) {
        // The next look tries again: nothing was acknowledged that is not in the database.
        this.#onFailure(error instanceof Error ? error.message : 'pulling imports');
      }
      await this.#signal.wait(POLL_INTERVAL_MS);
    }
  }

  async #acknowledgeDue(): Promise<void> {
    for (;;) {
      const due = this.#batches.due(ACKNOWLEDGMENTS_AT_ONCE);
      for (const acknowledgment of due) {
        if (this.#stopped) return;
        await this.#acknowledge(acknowledgment);
      }
      if (due.length < ACKNOWLEDGMENTS_AT_ONCE) return;
    }
  }

  /** Every acknowledgment of the table gets an answer and leaves it, or this throws and the next round continues. */
  async #acknowledge(due: DueAcknowledgment): Promise<void> {
    const { importId, batchId, rowIds } = due;
    const answer = await this.#service.send('POST', `${this.#imports}/${importId}/ack`, {
      version: 'svcimport.acknowledge.v1',
      importId,
      ack: { version: 'svcimport.ack.v1', batchId, status: 'accepted', acceptedRowIds: rowIds },
    });
    if (answer.status === 200) {
      this.#batches.settle(due, 'done', null);
      return;
    }
    const refused = new RefusedError('acknowledging a batch', answer);
    if (!FINAL_STATUSES.includes(answer.status)) throw refused;
    this.#onFailure(refused.message);
    this.#batches.settle(due, 'refused', refused.message);
  }

  async #pullAll(): Promise<void> {
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      // Leaves out what is delivered, and what has ended: those are left alone.
      const list = await this.#get(`${this.#imports}?filter=undelivered${more}`);
      const { imports, nextCursor } = listSchema.parse(list);
      for (const { importId } of imports) {
        if (this.#stopped) return;
        await this.#tryPull(importId);
      }
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  /** An import that is refused, because it was cancelled or has expired, does not hold up the others. */
  async #tryPull(importId: string): Promise<void> {
    try {
      await this.#pull(importId);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.status !== GONE) this.#onFailure(error.message);
    }
  }

  async #pull(importId: string): Promise<void> {
    let index: number | null = 0;
    for (let batches = 0; index !== null && batches < BATCHES_MAX; batches += 1) {
      const path = `${this.#imports}/${importId}/batches?index=${index}`;
      const batch: z.infer<typeof batchSchema> = batchSchema.parse(await this.#get(path));
      this.#batches.apply(importId, batch);
      await this.#acknowledgeDue();
      index = batch.nextIndex;
    }
  }

  async #get(path: string): Promise<unknown> {
    const answer = await this.#service.send('GET', path);
    if (answer.status !== 200) throw new RefusedError('pulling', answer);
    return answer.body;
  }
}

const GONE = 410;

/** A bad request, an unknown or erased import, another batch: the same acknowledgment would get the same answer. */
const FINAL_STATUSES: readonly number[] = [400, 404, 409, GONE];

class RefusedError extends Error {
  readonly status: number;

  constructor(action: string, { status, code }: ServiceAnswer) {
    super(`${action}: ${status} ${code ?? ''}`.trim());
    this.name = 'RefusedError';
    this.status = status;
  }
}
