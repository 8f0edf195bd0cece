import { EngineUnavailableError } from '../../topics/ports/failures.ts';

/** The pause before a refused commit is tried again, and attempts when the partition is given back. */
const RETRY_MS = 200;
const FLUSH_ATTEMPTS_MAX = 3;

/**
 * The offset commits of one delivery, one at a time, beside the handler. A commit that fails is tried again together with
 * what was handled meanwhile. A crash loses what is not committed: the next owner handles it again.
 */
export class ModelCommitter {
  readonly #commit: (nextOffset: number) => Promise<void>;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  #pending: number | null = null;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(commit: (nextOffset: number) => Promise<void>, sleep: (milliseconds: number) => Promise<void>) {
    this.#commit = commit;
    this.#sleep = sleep;
  }

  /** Commits this offset, now or later. */
  mark(nextOffset: number): void {
    this.#pending = nextOffset;
    this.#running ??= this.#run();
  }

  /** Commits what is left, as far as the log takes it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    for (let attempt = 1; attempt <= FLUSH_ATTEMPTS_MAX && !(await this.#attempt()); ) attempt += 1;
  }

  async #run(): Promise<void> {
    while (this.#pending !== null && !this.#closed) {
      if (!(await this.#attempt())) await this.#sleep(RETRY_MS);
    }
    this.#running = null;
  }

  /** False: the log did not answer, or refused. */
  async #attempt(): Promise<boolean> {
    const nextOffset = this.#pending;
    if (nextOffset === null) return true;
    try {
      await this.#commit(nextOffset);
      if (this.#pending === nextOffset) this.#pending = null;
      return true;
    } catch (error) {
      if (error instanceof EngineUnavailableError) return false;
      throw error;
    }
  }
}
