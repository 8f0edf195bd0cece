import type { Clock } from '../../../topics/ports/clock.ts';

/** Time for which a timestamp tells about a broker's clock. Probes are more frequent. */
const FRESH_MS = 15_000;

interface Measured {
  readonly aheadMs: number;
  readonly at: number;
}

/**
 * The difference between this process's clock and those of the brokers. A broker timestamps a record between its
 * sending and its acknowledgement, so only a timestamp outside of that interval proves a difference.
 */
export class LogClock implements Clock {
  readonly #clock: Clock;
  readonly #measured = new Map<number, Measured>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the log's time in Unix milliseconds, as exactly as it is known. */
  now(): number {
    return this.#clock.now() - this.aheadMs();
  }

  /** Returns the process's own time, to be read before a request and after its answer. */
  ownNow(): number {
    return this.#clock.now();
  }

  /**
   * Records the timestamp that the leader of a partition gave to a probe.
   *
   * @param sentAt the process's own time before the request; `answeredAt` after the answer
   */
  note(partition: number, stampedAt: number, sentAt: number, answeredAt: number): void {
    const least = Math.min(sentAt, answeredAt) - stampedAt;
    const most = Math.max(sentAt, answeredAt) - stampedAt;
    const aheadMs = least > 0 ? least : Math.min(most, 0);
    this.#measured.set(partition, { aheadMs, at: performance.now() });
  }

  /**
   * Returns the milliseconds by which this process's clock is at least ahead of the most different broker's; negative
   * if it is behind, 0 if no difference is proven.
   */
  aheadMs(): number {
    const since = performance.now() - FRESH_MS;
    let furthest = 0;
    for (const [partition, { aheadMs, at }] of this.#measured) {
      if (at < since) this.#measured.delete(partition);
      else if (Math.abs(aheadMs) > Math.abs(furthest)) furthest = aheadMs;
    }
    return furthest;
  }
}
