import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { primaryCode, SQLITE } from './failures.ts';

/** Writes that may wait for the next transaction. Beyond it callers are refused instead of queued. */
export const QUEUED_WRITES_MAX = 10_000;

/** How long a patient write waits for others to share a transaction with. */
const PATIENCE_MS = 5;

/**
 * How long writes wait while another program holds the file's lock, and how often the writer asks for it. It waits beside
 * the event loop, so reads and HTTP go on meanwhile.
 */
export const LOCK_WAIT_MS_MAX = 5_000;
const LOCK_RETRY_MS = 20;

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

/** A transaction that is committed: what its operations returned, for those who wait until it is on the disk. */
interface Committed {
  readonly write: QueuedWrite;
  readonly result: unknown;
}

/**
 * The only writer of the database. Operations that are queued while the disk is being waited for, or within one tick of
 * the event loop, share one transaction and its one wait for the disk. They are answered after that.
 *
 * COMMIT itself writes the write-ahead log and does not wait for the disk; `synchronize` does, beside the event loop. No
 * transaction begins in the meantime, so what is committed and not yet on the disk is always that one transaction.
 *
 * An operation that throws takes no neighbour down: the transaction is rolled back and run again without it. Operations
 * may therefore run more than once, and whatever they keep besides the database is dropped by {@link onRollBack}.
 *
 * A full disk refuses the transaction that met it: it is rolled back, `onFull` is called, and later ones are tried. Any other
 * write error of SQLite (I/O, read-only) ends the writer: its operations are rejected, `onFatal` is called once, and
 * everything later is refused. What the file holds is not known then until it is opened again.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #synchronize: () => Promise<void>;
  readonly #onFatal: (error: unknown) => void;
  readonly #onFull: () => void;
  readonly #lockWaitMs: number;
  #queue: QueuedWrite[] = [];
  /** Ends the wait of patient writes, while nothing else is queued. */
  #hurry: (() => void) | null = null;
  #state: 'open' | 'closed' | 'failed' = 'open';
  readonly #onRollBack: (() => void)[] = [];
  #settled: Promise<void> = Promise.resolve();
  #synchronized: Promise<void> = Promise.resolve();

  /**
   * @param database a connection that never waits for a lock itself (`busy_timeout` 0).
   * @param synchronize resolves once the write-ahead log, as it is at the call, is on the disk.
   * @param onFatal the writer has ended: the process has to end, too.
   * @param onFull the disk was full, and a transaction was refused.
   * @param lockWaitMs how long writes wait while another program holds the lock.
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
   * Runs a synchronous operation inside the next transaction and resolves with its result once that is on the disk.
   * Rejects with what the operation threw, with {@link TransactionFailedError} after a write error, or with
   * `EngineUnavailableError` when it was not run or rolled back: the queue or the disk is full, the file is busy, the writer is closed.
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

  /** Has `listener` called after every rollback, before operations run again: what it remembers of them is not true. */
  onRollBack(listener: () => void): void {
    this.#onRollBack.push(listener);
  }

  /** Resolves when everything that was queued before has been answered. */
  settled(): Promise<void> {
    return this.#settled;
  }

  /**
   * Resolves when everything that can be read now is on the disk. Whoever shows what was read waits for it: a power cut
   * must not take back what somebody has seen. Never rejects: after a failure nothing is certain, and the process ends.
   */
  synchronized(): Promise<void> {
    return this.#synchronized;
  }

  /** Commits what is queued and refuses everything later. */
  async close(): Promise<void> {
    this.#hurry?.();
    await this.#settled;
    if (this.#state === 'open') this.#state = 'closed';
  }

  #schedule(isPatient: boolean): void {
    this.#settled = new Promise((resolve) => {
      const flush = async (): Promise<void> => {
        this.#hurry = null;
        await this.#synchronized;
        await this.#flush();
        await this.#synchronized;
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

  /** Writes stay in the queue until their transaction begins, so that nothing schedules another one meanwhile. */
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

  /** Begins a transaction once the lock is free. False: another program has held it for too long. */
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
    // Every transaction was rolled back, and what a full disk took of it, the next one writes over.
    this.#onFull();
    refuse(writes);
  }

  #fail(error: unknown, writes: readonly QueuedWrite[]): void {
    this.#state = 'failed';
    for (const write of writes) write.reject(new TransactionFailedError(error));
    this.#onFatal(error);
  }

  /**
   * Ends the transaction that was begun: commits all writes, or rolls back, rejects the one that is at fault and returns the
   * others to be run again.
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
    this.#synchronized = this.#answer(committed);
    return [];
  }

  async #answer(committed: readonly Committed[]): Promise<void> {
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
