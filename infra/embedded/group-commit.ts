import type { DatabaseSync } from 'node:sqlite';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';

/** Writes that may wait for the next transaction. Beyond it callers are refused instead of queued. */
export const QUEUED_WRITES_MAX = 10_000;

/** How long a patient write waits for others to share a transaction with. */
const PATIENCE_MS = 5;

const SQLITE_BUSY = 5;

/** Primary result codes of SQLite that are the fault of one operation, not of the file or the disk. */
const OPERATION_FAULTS: ReadonlySet<number> = new Set([
  1, // SQLITE_ERROR: a statement that cannot run
  18, // SQLITE_TOOBIG
  19, // SQLITE_CONSTRAINT
  20, // SQLITE_MISMATCH
  25, // SQLITE_RANGE
]);

/** A transaction failed: what its operations wrote is there or not, and only the next start will tell. */
export class TransactionFailedError extends EngineUnavailableError {
  constructor(cause: unknown) {
    super('database', { cause });
    this.name = 'TransactionFailedError';
  }
}

interface QueuedWrite {
  readonly operation: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The only writer of the database. All operations that are queued within one tick of the event loop share one
 * transaction, so that they also share its one wait for the disk, and are answered after its COMMIT.
 *
 * An operation that throws takes no neighbour down: the transaction is rolled back and run again without it. Operations
 * may therefore run more than once, and keep no state but the database's.
 *
 * A write error of SQLite (disk full, I/O, read-only) ends the writer: its operations are rejected, `onFatal` is called
 * once, and everything later is refused. Nobody can say then what the file holds until it is opened again.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #onFatal: (error: unknown) => void;
  #queue: QueuedWrite[] = [];
  /** Ends the wait of patient writes, while nothing else is queued. */
  #hurry: (() => void) | null = null;
  #state: 'open' | 'closed' | 'failed' = 'open';
  #settled: Promise<void> = Promise.resolve();

  constructor(database: DatabaseSync, onFatal: (error: unknown) => void) {
    this.#database = database;
    this.#onFatal = onFatal;
  }

  /**
   * Runs a synchronous operation inside the next transaction and resolves with its result once that is on the disk.
   * Rejects with what the operation threw, with {@link TransactionFailedError} after a write error, or with
   * `EngineUnavailableError` when it was never run: the queue is full, the file is busy, the writer is closed.
   */
  run<Result>(operation: () => Result): Promise<Result> {
    return this.#enqueue(operation, false);
  }

  /** As {@link run}, for a write that nobody waits for: it takes part in the next transaction, or begins one soon. */
  runPatiently<Result>(operation: () => Result): Promise<Result> {
    return this.#enqueue(operation, true);
  }

  #enqueue<Result>(operation: () => Result, isPatient: boolean): Promise<Result> {
    if (this.#state !== 'open' || this.#queue.length >= QUEUED_WRITES_MAX) {
      return Promise.reject(new EngineUnavailableError('database'));
    }
    if (this.#queue.length === 0) this.#schedule(isPatient);
    else if (!isPatient) this.#hurry?.();
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ operation, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Resolves when everything that was queued before has been answered. */
  settled(): Promise<void> {
    return this.#settled;
  }

  /** Commits what is queued and refuses everything later. */
  async close(): Promise<void> {
    this.#hurry?.();
    await this.#settled;
    if (this.#state === 'open') this.#state = 'closed';
  }

  #schedule(isPatient: boolean): void {
    this.#settled = new Promise((resolve) => {
      const flush = (): void => {
        this.#hurry = null;
        this.#flush();
        resolve();
      };
      if (!isPatient) {
        setImmediate(flush);
        return;
      }
      const timer = setTimeout(flush, PATIENCE_MS);
      this.#hurry = () => {
        this.#hurry = null;
        clearTimeout(timer);
        setImmediate(flush);
      };
    });
  }

  #flush(): void {
    let writes = this.#queue;
    this.#queue = [];
    try {
      while (writes.length > 0) writes = this.#transact(writes);
    } catch (error) {
      this.#state = 'failed';
      for (const write of writes) write.reject(new TransactionFailedError(error));
      this.#onFatal(error);
    }
  }

  /** Commits all writes, or rejects one that is at fault and returns the others to be run again. */
  #transact(writes: QueuedWrite[]): QueuedWrite[] {
    if (!this.#begin()) {
      for (const write of writes) write.reject(new EngineUnavailableError('database'));
      return [];
    }
    const results: unknown[] = [];
    for (const write of writes) {
      try {
        results.push(write.operation());
      } catch (error) {
        this.#rollBack();
        if (!isOperationFault(error)) throw error;
        write.reject(error);
        return writes.filter((other) => other !== write);
      }
    }
    this.#commit();
    for (const [index, write] of writes.entries()) write.resolve(results[index]);
    return [];
  }

  #begin(): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (primaryCode(error) === SQLITE_BUSY) return false;
      throw error;
    }
  }

  #commit(): void {
    try {
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    // After some errors SQLite has already rolled back by itself.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }
}

function isOperationFault(error: unknown): boolean {
  const code = primaryCode(error);
  return code === null || OPERATION_FAULTS.has(code);
}

/** The primary result code of an error of SQLite (the low byte of the extended one), or null for any other error. */
function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
