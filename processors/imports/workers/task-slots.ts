import { EngineUnavailableError } from '../../../topics/ports/failures.ts';

/** So many tasks at once, and a bounded line of those that wait, first come, first served. */
export class TaskSlots {
  readonly #waitingMax: number;
  readonly #waiting: Waiter[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #free: number;
  #closed = false;

  constructor(slots: number, waitingMax: number) {
    this.#free = slots;
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs a task as soon as a slot is free. Rejects with {@link EngineUnavailableError}, the task not begun, when the line
   * is full or the slots are closed.
   */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
    // Also after the wait: between the admission and this turn the slots may have been closed.
    if (this.#closed) {
      this.#release();
      throw unavailable();
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

  /** Refuses who waits and who comes, and resolves when the running tasks have ended, whatever their end. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(unavailable());
    await Promise.allSettled(this.#running);
  }

  #wait(): Promise<void> {
    if (this.#closed || this.#waiting.length >= this.#waitingMax) throw unavailable();
    return new Promise<void>((admit, refuse) => this.#waiting.push({ admit, refuse }));
  }

  /** Hands the slot to whoever waits longest, so that nobody can come in between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.admit();
  }
}

interface Waiter {
  admit(): void;
  refuse(error: Error): void;
}

function unavailable(): EngineUnavailableError {
  return new EngineUnavailableError('import workers');
}
