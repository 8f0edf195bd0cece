import type { BatchAnswer } from './content-address.ts';
import {
  type Acknowledged,
  type AcknowledgedBatch,
  type DeliveryTarget,
  deliveryCalls,
  unexpected,
} from './delivery-calls.ts';
import { SvcError } from './error.ts';
import { wholeNumber } from './options.ts';
import type { CellValue } from './row-types.ts';
import { pause } from './transport.ts';

/** Options of {@link delivery}. */
export interface DeliveryOptions extends DeliveryTarget {
  /**
   * Waits for further imports behind the last batch, until `signal`: each arrives as soon as it is approved. Without it, and without
   * `pollMs`, the iterator ends there.
   */
  readonly follow?: boolean;
  /** Looks for new imports again after this many milliseconds, at least 500, instead of waiting for them. */
  readonly pollMs?: number;
  /**
   * Called for an import that is passed over because it was cancelled, erased, mapped again or has expired; and, with `pollMs`, for a
   * failure that the next look may find gone.
   */
  readonly onFailure?: (error: SvcError, importId: string | null) => void;
  /**
   * Called when the service has stored the acknowledgment of a batch that was yielded, and called again if a later iterator meets the
   * batch.
   */
  readonly onAcknowledged?: (batch: AcknowledgedBatch) => void | Promise<void>;
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

export interface Delivery<Row> {
  /**
   * Yields the batches of each import that still lacks an acknowledgment, the oldest import first, and acknowledges each when the
   * body of the loop has ended. A body that throws, breaks or returns leaves its batch unacknowledged; a later iterator yields it
   * again. Iterators of one delivery do not yield a batch again that was acknowledged. A new process does: it yields the
   * acknowledged batches of an unfinished import again. So apply a batch in one transaction that looks for `batchId` first.
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
/** The longest that the service waits: `wait=25`. */
const WAIT_MS = 25_000;
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
  const { pollMs = 0, follow = pollMs > 0, signal, onFailure, onAcknowledged } = options;
  if (options.pollMs !== undefined) wholeNumber('pollMs', pollMs);
  const waitMs = follow && pollMs === 0 ? WAIT_MS : 0;
  /** Names of acknowledged batches. Beyond the bound, the oldest one is evicted, and its batch can be yielded again. */
  const known = new Set<string>();
  const calls = deliveryCalls(options);

  const isEnded = () => signal?.aborted;

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

  async function acknowledge(batch: AcknowledgedBatch): Promise<Acknowledged> {
    const acknowledged = await calls.acknowledge(batch);
    known.add(nameOf(batch));
    if (known.size > BATCHES_MAX) known.delete(known.values().next().value as string);
    return acknowledged;
  }

  async function* batchesOf(importId: string): AsyncGenerator<Batch<Row>, undefined> {
    for (let index: number | null = 0; index !== null && !isEnded(); ) {
      if (index === BATCHES_MAX) throw unexpected();
      const answer: BatchAnswer | null = await unlessEnded(importId, calls.pull(importId, index));
      if (answer === null) return;
      const { batchId, manifest } = answer;
      const { schemaRevision, rowIds } = manifest;
      const rows = answer.rows as unknown as readonly BatchRow<Row>[];
      const batch = { importId, batchId, rowIds };
      if (!known.has(nameOf(batch))) yield { ...batch, index, schemaRevision, rows };
      // A known one, too: the import may have been mapped again since, to a batch with the same content.
      if ((await unlessEnded(importId, acknowledge(batch))) === null) return;
      await onAcknowledged?.(batch);
      index = answer.nextIndex;
    }
  }

  async function* allBatches(): AsyncGenerator<Batch<Row>, undefined> {
    let more = waitMs > 0 ? '&wait=25' : '';
    for (let page = 0; !isEnded(); page += 1) {
      if (page === PAGES_MAX) throw unexpected();
      const { imports: entries, nextCursor } = await calls.list(more, waitMs);
      for (const { importId } of entries) yield* batchesOf(importId);
      if (nextCursor === null) return;
      more = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  }

  /** Yields what there is now. With `pollMs`, the next look may find a failure gone. */
  async function* look(): AsyncGenerator<Batch<Row>, undefined> {
    try {
      yield* allBatches();
    } catch (error) {
      const isPassing = error instanceof SvcError && (isEnded() || (error.retryable && follow));
      if (!isPassing) throw error;
      if (!isEnded()) onFailure?.(error, null);
    }
  }

  async function* all(): AsyncGenerator<Batch<Row>, undefined> {
    for (;;) {
      const { size } = known;
      yield* look();
      if (!follow || isEnded()) return;
      // An import that cannot be pulled is listed again at once.
      if (pollMs > 0 || known.size === size) await pause(Math.max(POLL_MS_MIN, pollMs), signal);
    }
  }

  return { acknowledge, [Symbol.asyncIterator]: all };
}

function nameOf({ importId, batchId }: AcknowledgedBatch): string {
  return `${importId} ${batchId}`;
}
