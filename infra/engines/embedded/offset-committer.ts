import { setTimeout as sleep } from 'node:timers/promises';

/** Pause before a failed commit is retried. */
const RETRY_MS = 200;

/** Attempts to commit the last offset when the partition stops. */
const FLUSH_ATTEMPTS_MAX = 3;

/**
 * Commits the offset of one partition beside the handler, one transaction at a time. A failed commit is retried with
 * the latest offset. After a crash, handlers receive the records since the last commit again.
 */
export class OffsetCommitter {
  readonly #commit: (nextOffset: number) => Promise<void>;
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  #pending: number | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  /**
   * @param commit rejects if the offset could not be written
   * @param pause a simulation hands in that of its virtual time
   */
  constructor(
    commit: (nextOffset: number) => Promise<void>,
    pause: (milliseconds: number) => Promise<unknown> = sleep,
  ) {
    this.#commit = commit;
    this.#pause = pause;
  }

  /** Records that everything below an offset is handled. */
  mark(nextOffset: number): void {
    this.#pending = nextOffset;
    this.#running ??= this.#run();
  }

  /** Commits the last offset if the database accepts it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    for (let attempt = 1; attempt <= FLUSH_ATTEMPTS_MAX && !(await this.#attempt()); ) attempt += 1;
  }

  async #run(): Promise<void> {
    while (this.#pending !== null && !this.#closed) {
      if (!(await this.#attempt())) await this.#pause(RETRY_MS);
    }
    this.#running = null;
  }

  async #attempt(): Promise<boolean> {
    const nextOffset = this.#pending;
    if (nextOffset === null) return true;
    try {
      await this.#commit(nextOffset);
    } catch {
      return false;
    }
    if (this.#pending === nextOffset) this.#pending = null;
    return true;
  }
}
