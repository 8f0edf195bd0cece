import { serviceError } from '../../schemas/base/errors.ts';

/** Lets a bounded number of tasks run at once and a bounded number wait. */
export class Gate {
  readonly #running: number;
  readonly #waiting: number;
  readonly #queue: (() => void)[] = [];
  #free: number;

  constructor(options: { readonly running: number; readonly waiting: number }) {
    this.#running = options.running;
    this.#waiting = options.waiting;
    this.#free = this.#running;
  }

  /**
   * Runs a task when its turn comes.
   *
   * @throws {ServiceError} `unavailable` when too many wait already.
   */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      return await task();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#queue.length >= this.#waiting) {
      throw serviceError('unavailable', 'Too many sign-ins wait for their turn.', RETRY_AFTER_SECONDS);
    }
    return new Promise((resolve) => {
      this.#queue.push(resolve);
    });
  }
}

const RETRY_AFTER_SECONDS = 2;
