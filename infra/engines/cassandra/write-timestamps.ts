import { randomInt } from 'node:crypto';
import type { Clock } from '../../../topics/ports/clock.ts';

const MICROSECONDS_A_MILLISECOND = 1_000n;

/**
 * Timestamps for writes: Unix microseconds that grow with every call. Two writes with one timestamp would be mixed, cell by
 * cell. So each process keeps to a microsecond of its own within the milliseconds, and never uses one twice.
 */
export class WriteTimestamps {
  readonly #clock: Clock;
  readonly #own: bigint;
  #last = 0n;

  constructor(clock: Clock, own = randomInt(Number(MICROSECONDS_A_MILLISECOND))) {
    this.#clock = clock;
    this.#own = BigInt(own);
  }

  /** A timestamp later than all before, and later than `seen`: the clock of whoever wrote that may be ahead of ours. */
  after(seen: bigint): bigint {
    const now = BigInt(this.#clock.now()) * MICROSECONDS_A_MILLISECOND + this.#own;
    const earliest = [now, this.#nextOwn(this.#last), this.#nextOwn(seen)];
    this.#last = earliest.reduce((left, right) => (left > right ? left : right));
    return this.#last;
  }

  /** The first of this process's microseconds behind a timestamp. */
  #nextOwn(stamp: bigint): bigint {
    const inMillisecond = stamp - (stamp % MICROSECONDS_A_MILLISECOND) + this.#own;
    return inMillisecond > stamp ? inMillisecond : inMillisecond + MICROSECONDS_A_MILLISECOND;
  }
}
