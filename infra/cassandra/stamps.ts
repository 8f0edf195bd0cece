import type { Clock } from '../../topics/ports/clock.ts';

const MICROSECONDS_A_MILLISECOND = 1_000n;

/** Timestamps for writes: Unix microseconds that grow with every call. */
export class Stamps {
  readonly #clock: Clock;
  #last = 0n;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A timestamp later than all before, and later than `seen`: the clock of whoever wrote that may be ahead of ours. */
  after(seen: bigint): bigint {
    const now = BigInt(this.#clock.now()) * MICROSECONDS_A_MILLISECOND;
    this.#last = [now, this.#last + 1n, seen + 1n].reduce((left, right) => (left > right ? left : right));
    return this.#last;
  }
}
