import { type DeliveryOptions, delivery, SvcError } from 'svc-client';
import type { AcceptedBatches, DueAcknowledgment } from './accepted-batches.ts';
import { Signal } from './signal.ts';

/** The pause between two looks for approved imports. */
const POLL_INTERVAL_MS = 2_000;

/** Acknowledgments that are read from the database at once. */
const ACKNOWLEDGMENTS_AT_ONCE = 100;

/**
 * Pulls approved imports and applies each batch once: in one transaction it looks whether the batch is known, writes its
 * rows and writes down that it has to be acknowledged. The rows of that table are acknowledged before anything is pulled: an import can
 * end between the two, and then has no batches any more.
 */
export class ImportDelivery {
  readonly #batches: AcceptedBatches;
  readonly #options: DeliveryOptions;
  readonly #onFailure: (sentence: string) => void;
  readonly #signal = new Signal();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  /** @param options the capability of one schema */
  constructor(batches: AcceptedBatches, options: DeliveryOptions, onFailure: (sentence: string) => void) {
    this.#batches = batches;
    this.#options = options;
    this.#onFailure = onFailure;
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#signal.notify();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const batches = delivery({
      ...this.#options,
      signal,
      onAcknowledged: (batch) => this.#batches.settle(batch, 'done', null),
    });
    while (!signal.aborted) {
      try {
        for (const due of this.#batches.due(ACKNOWLEDGMENTS_AT_ONCE)) {
          await this.#acknowledge(due, () => batches.acknowledge(due));
        }
        for await (const batch of batches) this.#batches.apply(batch.importId, batch);
      } catch (error) {
        // The next look tries again: nothing was acknowledged that is not in the database.
        this.#onFailure(error instanceof Error ? error.message : 'pulling imports');
      }
      await this.#signal.wait(POLL_INTERVAL_MS);
    }
  }

  /** An acknowledgment gets an answer and leaves the table, or this throws and the next look continues. */
  async #acknowledge(due: DueAcknowledgment, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
      this.#batches.settle(due, 'done', null);
    } catch (error) {
      if (!(error instanceof SvcError) || !FINAL_STATUSES.includes(error.status)) throw error;
      this.#onFailure(error.message);
      this.#batches.settle(due, 'refused', error.message);
    }
  }
}

/** A bad request, an unknown or erased import, another batch: the same acknowledgment would get the same answer. */
const FINAL_STATUSES: readonly (number | null)[] = [400, 404, 409, 410];
