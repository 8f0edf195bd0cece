/** Bounds of a {@link Semaphore}. */
export interface SemaphoreOptions {
  /** Tasks that run at once. */
  readonly runningMax: number;
  /** Tasks that wait for their turn; a further one is refused. */
  readonly waitingMax: number;
  /** Makes the error for a task that is refused. */
  readonly refuse: () => Error;
}

/** Runs a bounded number of tasks at once and lets a bounded number wait, first come, first served. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #waiting: Waiter[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #free: number;
  #closed = false;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#free = options.runningMax;
  }

  /**
   * Runs a task as soon as fewer than `runningMax` run.
   *
   * @throws the error of `refuse`, without beginning the task, if too many wait or the semaphore is closed; else what the task
   *   throws.
   */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
    // Between the admission of a waiter and this turn the semaphore may have been closed.
    if (this.#closed) {
      this.#release();
      throw this.#options.refuse();
    }
    const running = task();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      this.#release();
    }
  }

  /** Refuses waiting and later tasks, and resolves when the running ones have settled. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(this.#options.refuse());
    await Promise.allSettled(this.#running);
  }

  #wait(): Promise<void> {
    if (this.#closed || this.#waiting.length >= this.#options.waitingMax) throw this.#options.refuse();
    return new Promise<void>((admit, reject) => this.#waiting.push({ admit, reject }));
  }

  /** Hands the slot to the first waiter, so that a task which arrives now cannot overtake it. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.admit();
  }
}

interface Waiter {
  admit(): void;
  reject(error: Error): void;
}
