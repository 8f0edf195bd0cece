import { type CallOptions, caller, pathOf } from './caller.ts';
import { type BatchAnswer, verifyBatch } from './content-address.ts';
import { SvcError } from './error.ts';
import { wholeNumber } from './options.ts';
import type { CellValue } from './row-types.ts';
import { pause } from './transport.ts';

/** Options of {@link delivery}. */
export interface DeliveryOptions extends CallOptions {
  /** The address of the ingest host, such as `https://ingest.example.com`. */
  readonly baseUrl: string;
  /** The capability of the schema, `svc_capability_…`. */
  readonly capability: string;
  readonly workspaceId: string;
  readonly schemaId: string;
  /** Looks for new imports again after this many milliseconds, at least 500; without it the iterator ends behind the last batch. */
  readonly pollMs?: number;
  /** Ends the iterator before its next batch. A batch whose body has ended is still acknowledged. */
  readonly signal?: AbortSignal;
  /**
   * Called for an import that is passed over because it was cancelled, erased, mapped again or has expired; and, with `pollMs`, for a
   * failure that the next look may find gone.
   */
  readonly onFailure?: (error: SvcError, importId: string | null) => void;
  /** Called when the service has stored the acknowledgment of a batch that was yielded. */
  readonly onAcknowledged?: (batch: AcknowledgedBatch) => void | Promise<void>;
}

/** The names of a batch and of its rows. */
export interface AcknowledgedBatch {
  readonly importId: string;
  readonly batchId: string;
  readonly rowIds: readonly string[];
}

/** A batch of accepted rows. */
export interface Batch<Row> {
  readonly importId: string;
  /** The content of the batch decides it. A batch with an id that you have applied is the same batch. */
  readonly batchId: string;
  /** Position in the import, from 0. */
  readonly index: number;
  readonly schemaRevision: number;
  readonly rows: readonly BatchRow<Row>[];
  readonly rowIds: readonly string[];
}

export interface BatchRow<Row> {
  readonly rowId: string;
  /** Number in the file, from 1, without header and blank lines. */
  readonly row: number;
  readonly values: Row;
}

/** An acknowledgment that the service has stored. */
export interface Acknowledged {
  /** ISO 8601, UTC. */
  readonly acknowledgedAt: string;
  readonly remainingBatches: number;
}

export interface Delivery<Row> {
  /**
   * Yields each batch that has not been acknowledged by all, the oldest import first, and acknowledges it when the body of the loop
   * has ended. A body that throws, breaks or returns leaves its batch unacknowledged; a later iterator yields it again, as
   * it does after a crash. So apply a batch in one transaction that looks for `batchId` first.
   *
   * @throws {SvcError} `batch_mismatch` if a batch is not what its id says, `acknowledgment_conflict` if the service has accepted
   *   other rows under this id, and other refusals
   */
  [Symbol.asyncIterator](): AsyncIterator<Batch<Row>, undefined>;
  /**
   * Acknowledges a batch from your own table, for example one that was applied before a crash and whose import has ended since. A repeat
   * gets the same answer.
   */
  acknowledge(batch: AcknowledgedBatch): Promise<Acknowledged>;
}

/** More pages or batches than there can be, also with raised limits, are a fault of the server, and no end. */
const PAGES_MAX = 200;
const BATCHES_MAX = 10_000;
const POLL_MS_MIN = 500;
/** An import that has ended, or has another mapping now. */
const ENDED: readonly string[] = [
  'not_found',
  'state_conflict',
  'revision_conflict',
  'gone',
  'expired',
  'erased',
  'cancelled',
];

/**
 * Makes a delivery of one schema's imports.
 *
 * @throws {TypeError} if an option is missing or wrong
 */
export function delivery<Row = Readonly<Record<string, CellValue>>>(options: DeliveryOptions): Delivery<Row> {
  const { capability, workspaceId, schemaId, pollMs, signal, onFailure, onAcknowledged } = options;
  if (pollMs !== undefined) wholeNumber('pollMs', pollMs);
  const call = caller({ ...options, credential: capability }, options);
  const imports = pathOf('v1', 'import', 'delivery', workspaceId, schemaId, 'imports');

  const isEnded = () => signal?.aborted === true;

  async function acknowledge({ importId, batchId, rowIds }: AcknowledgedBatch) {
    const ack = { version: 'svcimport.ack.v1', batchId, status: 'accepted', acceptedRowIds: rowIds };
    const body = { version: 'svcimport.acknowledge.v1', importId, ack };
    return (await call({ method: 'POST', path: `${imports}${pathOf(importId)}/ack`, body })) as Acknowledged;
  }

  async function list(cursor: string): Promise<DeliveryList> {
    const answer = await call({ method: 'GET', path: `${imports}?filter=undelivered${cursor}`, signal });
    if (!Array.isArray(Object(answer).imports)) throw unexpected();
    return answer as DeliveryList;
  }

  async function pull(importId: string, index: number): Promise<BatchAnswer> {
    const path = `${imports}${pathOf(importId)}/batches?index=${index}`;
    const answer = (await call({ method: 'GET', path, signal })) as BatchAnswer;
    if (!Array.isArray(answer.rows) || !Array.isArray(Object(answer.manifest).rowIds)) throw unexpected();
    await verifyBatch({ ...answer, importId, index });
    return answer;
  }

  /** Resolves with null instead of a refusal of an import that has ended. */
  async function unlessEnded<Result>(importId: string, result: Promise<Result>): Promise<Result | null> {
    try {
      return await result;
    } catch (error) {
      if (!(error instanceof SvcError) || !ENDED.includes(error.code)) throw error;
      onFailure?.(error, importId);
      return null;
    }
  }

  async function* batchesOf(importId: string): AsyncGenerator<Batch<Row>, undefined> {
    let index: number | null = 0;
    for (let count = 0; index !== null && !isEnded(); count += 1) {
      if (count === BATCHES_MAX) throw unexpected();
      const answer: BatchAnswer | null = await unlessEnded(importId, pull(importId, index));
      if (answer === null) return;
      const { batchId, manifest } = answer;
      const { schemaRevision, rowIds } = manifest;
      const rows = answer.rows as unknown as readonly BatchRow<Row>[];
      yield { importId, batchId, index, schemaRevision, rows, rowIds };
      const acknowledged = { importId, batchId, rowIds };
      if ((await unlessEnded(importId, acknowledge(acknowledged))) === null) return;
      await onAcknowledged?.(acknowledged);
      index = answer.nextIndex;
    }
  }

  async function* allBatches(): AsyncGenerator<Batch<Row>, undefined> {
    let cursor = '';
    for (let page = 0; !isEnded(); page += 1) {
      if (page === PAGES_MAX) throw unexpected();
      const { imports: entries, nextCursor } = await list(cursor);
      for (const { importId } of entries) yield* batchesOf(importId);
      if (nextCursor === null) return;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  }

  /** Yields what there is now. With `pollMs`, the next look may find a failure gone. */
  async function* look(): AsyncGenerator<Batch<Row>, undefined> {
    try {
      yield* allBatches();
    } catch (error) {
      const isPassing = error instanceof SvcError && (isEnded() || (error.retryable && pollMs !== undefined));
      if (!isPassing) throw error;
      if (!isEnded()) onFailure?.(error, null);
    }
  }

  async function* follow(): AsyncGenerator<Batch<Row>, undefined> {
    for (;;) {
      yield* look();
      if (pollMs === undefined || isEnded()) return;
      await pause(Math.max(POLL_MS_MIN, pollMs), signal);
    }
  }

  return { acknowledge, [Symbol.asyncIterator]: follow };
}

interface DeliveryList {
  readonly imports: readonly { readonly importId: string }[];
  readonly nextCursor: string | null;
}

function unexpected(): SvcError {
  return new SvcError('unexpected_answer', 'The answer does not come from a delivery.', { status: 200 });
}
