import { setTimeout as sleep } from 'node:timers/promises';

/** The pause before a refused commit is tried again. */
const RETRY_MS = 200;

/** Attempts to commit what is left when the partition stops. */
const FLUSH_ATTEMPTS_MAX = 3;

/**
 * Commits how far one partition was handled, beside the handler, one transaction at a time. A refused commit is tried again
 * together with what was handled meanwhile. A crash repeats what was not committed, which handlers count on.
 */
export class OffsetKeeper {
  readonly #commit: (nextOffset: number) => Promise<void>;
  #pending: number | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  /** @param commit rejects where the offset could not be written. */
  constructor(commit: (nextOffset: number) => Promise<void>) {
    this.#commit = commit;
  }

  /** Says that everything below an offset is done. */
  mark(nextOffset: number): void {
    this.#pending = nextOffset;
    this.#running ??= this.#run();
  }

  /** Commits what is left, as far as the database takes it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    for (let attempt = 1; attempt <= FLUSH_ATTEMPTS_MAX && !(await this.#attempt()); ) attempt += 1;
  }

  async #run(): Promise<void> {
    while (this.#pending !== null && !this.#closed) {
      if (!(await this.#attempt())) await sleep(RETRY_MS);
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
