import type { LoopClock } from './overload.ts';

/** The interval over which the event loop is measured. */
export const INTERVAL_MS = 100;

/** A clock that a test moves, and the time for which the event loop was busy. */
export class LoopTestClock implements LoopClock {
  #now = 0;
  #busy = 0;

  readonly now = (): number => this.#now;
  readonly busyMs = (): number => this.#busy;

  pass(ms: number, busyShare: number): void {
    this.#now += ms;
    this.#busy += ms * busyShare;
  }
}
