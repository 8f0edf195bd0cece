import { randomInt } from 'node:crypto';
import type { Clock } from '../../../topics/ports/clock.ts';

const MICROSECONDS_A_MILLISECOND = 1_000n;

/**
 * Timestamps of writes: Unix microseconds that grow with every call. Cassandra would mix two writes with one
 * timestamp, cell by cell. So each process uses a fixed microsecond within the milliseconds, and no timestamp twice.
 */
export class WriteTimestamps {
  readonly #clock: Clock;
  readonly #own: bigint;
  #last = 0n;

  constructor(clock: Clock, own = randomInt(Number(MICROSECONDS_A_MILLISECOND))) {
    this.#clock = clock;
    this.#own = BigInt(own);
  }

  /**
   * Returns a timestamp later than all before, and later than `seen`, which a process with a clock ahead may have
   * written.
   */
  after(seen: bigint): bigint {
    const now = BigInt(this.#clock.now()) * MICROSECONDS_A_MILLISECOND + this.#own;
    const earliest = [now, this.#nextOwn(this.#last), this.#nextOwn(seen)];
    this.#last = earliest.reduce((left, right) => (left > right ? left : right));
    return this.#last;
  }

  /** Returns the first of this process's microseconds after a timestamp. */
  #nextOwn(stamp: bigint): bigint {
    const inMillisecond = stamp - (stamp % MICROSECONDS_A_MILLISECOND) + this.#own;
    return inMillisecond > stamp ? inMillisecond : inMillisecond + MICROSECONDS_A_MILLISECOND;
  }
}
