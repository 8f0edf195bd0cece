import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { primaryCode, SQLITE } from './failures.ts';

/** Writes that may wait for the next transaction. Beyond it writes are rejected instead of queued. */
export const QUEUED_WRITES_MAX = 10_000;

/** Longest wait of a deferred write for another one to share a transaction with. */
const DEFERRED_WAIT_MS = 5;

/**
 * Longest wait of writes while another program locks the file, and the interval of the writer's attempts. It waits
 * beside the event loop, so reads and HTTP continue.
 */
const LOCK_WAIT_MS_MAX = 5_000;
const LOCK_RETRY_MS = 20;

/** Primary result codes of SQLite for an error of one operation, not of the file or the disk. */
const OPERATION_FAULTS: ReadonlySet<number> = new Set([
  1, // SQLITE_ERROR: a statement that cannot run
  18, // SQLITE_TOOBIG
  19, // SQLITE_CONSTRAINT
  20, // SQLITE_MISMATCH
  25, // SQLITE_RANGE
]);

/** A failed transaction: its writes are durable or lost, and only the next start will tell. */
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

/** A committed transaction: the results of its operations, for callers that wait until it is on the disk. */
interface Committed {
  readonly write: QueuedWrite;
  readonly result: unknown;
}

/**
 * The only writer of the database. Operations queued within one tick of the event loop, or while a transaction waits
 * for the disk, share one transaction and its one wait for the disk. They are answered after that.
 *
 * COMMIT writes the write-ahead log without waiting for the disk; `synchronize` waits, beside the event loop. No
 * transaction begins meanwhile, so at most one committed transaction is not on the disk yet.
 *
 * An operation that throws does not fail its neighbours: the transaction is rolled back and run again without it. So
 * operations may run more than once, and {@link onRollBack} discards what they have cached outside the database.
 *
 * A full disk fails only its transaction: that is rolled back, `onFull` is called, and later ones are tried. Any
 * other write error of SQLite (I/O, read-only) ends the writer: its operations are rejected, `onFatal` is called
 * once, and later writes are rejected. The content of the file is then unknown until it is opened again.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #synchronize: () => Promise<void>;
  readonly #onFatal: (error: unknown) => void;
  readonly #onFull: () => void;
  readonly #lockWaitMs: number;
  #queue: QueuedWrite[] = [];
  /** Ends the wait of deferred writes, while no other write is queued. */
  #flushNow: (() => void) | null = null;
  #state: 'open' | 'closed' | 'failed' = 'open';
  readonly #onRollBack: (() => void)[] = [];
  #settled: Promise<void> = Promise.resolve();
  #synchronized: Promise<void> = Promise.resolve();

  /**
   * @param database a connection that never waits for a lock itself (`busy_timeout` 0)
   * @param synchronize resolves once the write-ahead log, as of the call, is on the disk
   * @param onFatal called when the writer has ended: the process has to end, too
   * @param onFull called when the disk was full and a transaction was rejected
   * @param lockWaitMs longest wait of writes while another program has the lock
   */
  constructor(
    database: DatabaseSync,
    synchronize: () => Promise<void>,
    onFatal: (error: unknown) => void,
    onFull: () => void = () => {},
    lockWaitMs = LOCK_WAIT_MS_MAX,
  ) {
    this.#database = database;
    this.#synchronize = synchronize;
    this.#onFatal = onFatal;
    this.#onFull = onFull;
    this.#lockWaitMs = lockWaitMs;
  }

  /**
   * Runs a synchronous operation in the next transaction and resolves with its result once that is on the disk.
   * Rejects with the operation's own error, with {@link TransactionFailedError} after a write error, or with
   * `EngineUnavailableError` if it did not run or was rolled back: the queue or the disk is full, the file is locked,
   * or the writer is closed.
   */
  run<Result>(operation: () => Result): Promise<Result> {
    return this.#enqueue(operation, false);
  }

  /** Like {@link run}, for a write without a waiting caller: joins the next transaction, or begins one soon. */
  runDeferred<Result>(operation: () => Result): Promise<Result> {
    return this.#enqueue(operation, true);
  }

  #enqueue<Result>(operation: () => Result, isDeferred: boolean): Promise<Result> {
    if (this.#state !== 'open' || this.#queue.length >= QUEUED_WRITES_MAX) {
      return Promise.reject(new EngineUnavailableError('database'));
    }
    if (this.#queue.length === 0) this.#schedule(isDeferred);
    else if (!isDeferred) this.#flushNow?.();
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ operation, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /**
   * Registers a listener for rollbacks, called before operations run again. Listeners must discard anything cached
   * from the rolled-back operations.
   */
  onRollBack(listener: () => void): void {
    this.#onRollBack.push(listener);
  }

  /** Resolves when every earlier operation has been answered. */
  settled(): Promise<void> {
    return this.#settled;
  }

  /**
   * Resolves when every committed write is on the disk. Callers that return data await it: a power cut must not
   * revert what a user has seen. Never rejects: after a failure the process ends.
   */
  synchronized(): Promise<void> {
    return this.#synchronized;
  }

  /** Commits the queued operations and rejects later ones. */
  async close(): Promise<void> {
    this.#flushNow?.();
    await this.#settled;
    if (this.#state === 'open') this.#state = 'closed';
  }

  #schedule(isDeferred: boolean): void {
    this.#settled = new Promise((resolve) => {
      const flush = async (): Promise<void> => {
        this.#flushNow = null;
        await this.#synchronized;
        await this.#flush();
        await this.#synchronized;
        resolve();
      };
      if (!isDeferred) {
        setImmediate(flush);
        return;
      }
      const timer = setTimeout(flush, DEFERRED_WAIT_MS);
      this.#flushNow = () => {
        this.#flushNow = null;
        clearTimeout(timer);
        setImmediate(flush);
      };
    });
  }

  /** Writes stay in the queue until their transaction begins, so that no other one is scheduled meanwhile. */
  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      let writes: QueuedWrite[] = [];
      try {
        const begun = this.#state !== 'failed' && (this.#begin() || (await this.#beginLater()));
        writes = this.#takeQueue();
        if (begun) this.#queue = this.#transact(writes);
        else refuse(writes);
      } catch (error) {
        this.#refuseFor(error, [...writes, ...this.#takeQueue()]);
      }
    }
  }

  /** Begins a transaction once the lock is free. Resolves with false if another program has kept it for too long. */
  async #beginLater(): Promise<boolean> {
    const until = performance.now() + this.#lockWaitMs;
    while (performance.now() < until) {
      await sleep(LOCK_RETRY_MS);
      if (this.#begin()) return true;
    }
    return false;
  }

  #takeQueue(): QueuedWrite[] {
    const writes = this.#queue;
    this.#queue = [];
    return writes;
  }

  #refuseFor(error: unknown, writes: readonly QueuedWrite[]): void {
    if (primaryCode(error) !== SQLITE.full) {
      this.#fail(error, writes);
      return;
    }
    // Every transaction was rolled back, and the next one overwrites its partial writes.
    this.#onFull();
    refuse(writes);
  }

  #fail(error: unknown, writes: readonly QueuedWrite[]): void {
    this.#state = 'failed';
    for (const write of writes) write.reject(new TransactionFailedError(error));
    this.#onFatal(error);
  }

  /**
   * Ends the transaction: commits all writes; or rolls back, rejects the failed one and returns the others to run
   * again.
   */
  #transact(writes: QueuedWrite[]): QueuedWrite[] {
    const committed: Committed[] = [];
    for (const write of writes) {
      try {
        committed.push({ write, result: write.operation() });
      } catch (error) {
        this.#rollBack();
        if (!isOperationFault(error)) throw error;
        write.reject(error);
        return writes.filter((other) => other !== write);
      }
    }
    this.#commit();
    this.#synchronized = this.#resolveWhenDurable(committed);
    return [];
  }

  async #resolveWhenDurable(committed: readonly Committed[]): Promise<void> {
    try {
      await this.#synchronize();
    } catch (error) {
      this.#fail(
        error,
        committed.map(({ write }) => write),
      );
      return;
    }
    for (const { write, result } of committed) write.resolve(result);
  }

  #begin(): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (primaryCode(error) === SQLITE.busy) return false;
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
    for (const listener of this.#onRollBack) listener();
  }
}

function refuse(writes: readonly QueuedWrite[]): void {
  for (const write of writes) write.reject(new EngineUnavailableError('database'));
}

function isOperationFault(error: unknown): boolean {
  const code = primaryCode(error);
  return code === null || OPERATION_FAULTS.has(code);
}
