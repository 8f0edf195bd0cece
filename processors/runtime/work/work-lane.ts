import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { settlesWithin } from '../../../schemas/base/timeout.ts';

/**
 * Longest time that a suspected item keeps others from beginning: once until those in work have ended, and once while it
 * runs. Twice the time limit of an import's task.
 */
export const ALONE_MS_MAX = 2 * MINUTE_MS;

/**
 * All items that one process has in work, of all works and partitions: any number beside each other, or a suspected one
 * alone.
 */
export class WorkLane {
  #inWork = 0;
  #isReserved = false;
  /** Called when the last item in work has ended. */
  #onEmpty: (value?: unknown) => void = () => {};
  #hasTurn = false;
  /** Admits the suspected items that wait for their turn. */
  readonly #waiting: (() => void)[] = [];

  /** Counts an item as in work; false while a suspected item keeps others from beginning. */
  tryBegin(): boolean {
    if (this.#isReserved) return false;
    this.#inWork += 1;
    return true;
  }

  /** Ends what {@link tryBegin} began. */
  end(): void {
    this.#inWork -= 1;
    if (this.#inWork === 0) this.#onEmpty();
  }

  /** Runs a function for one suspected item at a time, unless `signal` is aborted first. */
  async inTurn(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
    if (!(await this.#turn(signal))) return;
    try {
      await run();
    } finally {
      this.#hasTurn = false;
      this.#admitNext();
    }
  }

  /**
   * Runs a suspected item, in its turn, while no other item begins. Beside others after all if those in work do not end within
   * `ALONE_MS_MAX`. Others may begin again after the item has ended, or `ALONE_MS_MAX` later.
   *
   * @param run gets true if no other item is in work
   * @param withdraw called before others may begin
   */
  async runAlone(
    signal: AbortSignal,
    run: (isAlone: boolean) => Promise<void>,
    withdraw: () => Promise<void>,
  ): Promise<void> {
    this.#isReserved = true;
    try {
      const isAlone = await this.#empties(signal);
      this.#isReserved = isAlone;
      const running = run(isAlone);
      if (isAlone) {
        await settlesWithin(ALONE_MS_MAX, running);
        await withdraw();
        this.#isReserved = false;
      }
      await running;
    } finally {
      this.#isReserved = false;
    }
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(false);
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        resolve(false);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      this.#waiting.push(admit);
      signal.addEventListener('abort', leave, { once: true });
      this.#admitNext();
    });
  }

  #admitNext(): void {
    if (this.#hasTurn) return;
    const admit = this.#waiting.shift();
    this.#hasTurn = admit !== undefined;
    admit?.();
  }

  /** Waits until no item is in work. False if that takes too long, or if `signal` is aborted. */
  async #empties(signal: AbortSignal): Promise<boolean> {
    if (this.#inWork === 0) return true;
    const change = Promise.withResolvers<unknown>();
    this.#onEmpty = change.resolve;
    signal.addEventListener('abort', change.resolve, { once: true });
    await settlesWithin(ALONE_MS_MAX, change.promise);
    signal.removeEventListener('abort', change.resolve);
    this.#onEmpty = () => {};
    return this.#inWork === 0;
  }
}
