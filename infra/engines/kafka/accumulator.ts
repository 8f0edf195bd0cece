import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';
import { ENGINE } from './options.ts';

/**
 * Longest wait of the first record of a batch for others. While a request is under way, the next batch gathers
 * without this wait.
 */
const LINGER_MS = 2;

/** Bounds of one request; a single record may be larger. */
export const BATCH_RECORDS_MAX = 10_000;
export const BATCH_BYTES_MAX = 900 * 1024;

/** Bounds of the queue. Beyond them appends are rejected instead of queued. */
export const QUEUED_RECORDS_MAX = 100_000;
const QUEUED_BYTES_MAX = 128 * 1024 * 1024;

/** A record with its size. Its partition is chosen when it is sent. */
export interface SizedRecord extends NewRecord {
  /** Length of key and value in UTF-8. */
  readonly bytes: number;
}

/**
 * Sends records in order and resolves with one flag for each record: true if it is durable. If it rejects, the state
 * of every record is unknown.
 */
export type Send = (records: readonly SizedRecord[]) => Promise<readonly boolean[]>;

/** One call of `append` until all its records are settled. */
interface Append {
  open: number;
  failed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface QueuedRecord {
  readonly record: SizedRecord;
  readonly append: Append;
}

/**
 * Gathers the records of many appends into few requests; kafkajs would send one for each append. One request is under
 * way at a time, in the order of the appends. Records that arrive meanwhile form the next request.
 *
 * An append resolves when all its records are durable. A failed request also rejects every append that waits behind
 * it, so that no append waits longer than one request may take.
 */
export class Accumulator {
  readonly #send: Send;
  #queue: QueuedRecord[] = [];
  #queuedBytes = 0;
  #linger: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * @throws {EngineUnavailableError} if the queue is full, or a request with one of the records was not acknowledged
   */
  append(records: readonly SizedRecord[]): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    const isFull =
      this.#queue.length + records.length > QUEUED_RECORDS_MAX ||
      this.#queuedBytes + bytes > QUEUED_BYTES_MAX;
    // An empty queue takes an append of any size; otherwise an append above the bounds could never be sent.
    if (isFull && this.#queue.length > 0) return Promise.reject(new EngineUnavailableError(ENGINE));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const append: Append = { open: records.length, failed: false, resolve, reject };
    for (const record of records) this.#queue.push({ record, append });
    this.#queuedBytes += bytes;
    this.#schedule();
    return promise;
  }

  /** Resolves when the queue is empty and no request is under way. */
  async drain(): Promise<void> {
    while (this.#queue.length > 0 || this.#running !== null) await this.#run();
  }

  #schedule(): void {
    if (this.#running !== null) return;
    if (this.#queue.length >= BATCH_RECORDS_MAX || this.#queuedBytes >= BATCH_BYTES_MAX) {
      void this.#run();
    } else {
      this.#linger ??= setTimeout(() => void this.#run(), LINGER_MS);
    }
  }

  /** Sends batches until the queue is empty. Never rejects: failures settle the appends. */
  #run(): Promise<void> {
    if (this.#linger !== null) clearTimeout(this.#linger);
    this.#linger = null;
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        const durable = await this.#send(batch.map(({ record }) => record));
        settle(batch, durable);
        if (durable.includes(false)) this.#keep(this.#queue.filter(({ append }) => !append.failed));
      } catch (error) {
        for (const { append } of [...batch, ...this.#queue]) fail(append, error);
        this.#keep([]);
      }
    }
  }

  #takeBatch(): QueuedRecord[] {
    let bytes = 0;
    let count = 0;
    for (const { record } of this.#queue) {
      bytes += record.bytes;
      if (count > 0 && (bytes > BATCH_BYTES_MAX || count >= BATCH_RECORDS_MAX)) break;
      count += 1;
    }
    const batch = this.#queue.slice(0, count);
    this.#keep(this.#queue.slice(count));
    return batch;
  }

  #keep(queue: QueuedRecord[]): void {
    this.#queue = queue;
    this.#queuedBytes = queue.reduce((sum, { record }) => sum + record.bytes, 0);
  }
}

function settle(batch: readonly QueuedRecord[], durable: readonly boolean[]): void {
  for (const [index, { append }] of batch.entries()) {
    if (durable[index] !== true) fail(append, new EngineUnavailableError(ENGINE));
    append.open -= 1;
    if (append.open === 0 && !append.failed) append.resolve();
  }
}

function fail(append: Append, error: unknown): void {
  if (append.failed) return;
  append.failed = true;
  append.reject(error);
}
