import type { Clock } from '../../../topics/ports/clock.ts';

/** How long a stamp says something about a broker's clock. Probes come more often. */
const FRESH_MS = 15_000;

interface Measured {
  readonly aheadMs: number;
  readonly at: number;
}

/**
 * How far this process's clock is from those of the brokers. A broker stamps a record between the moment at which it was sent
 * and the one at which it was acknowledged, so what lies outside of them is certain.
 */
export class LogClock implements Clock {
  readonly #clock: Clock;
  readonly #measured = new Map<number, Measured>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The log's time in Unix milliseconds, as near as it is known. */
  now(): number {
    return this.#clock.now() - this.aheadMs();
  }

  /** The own time, to be noted before a request and after its answer. */
  ownNow(): number {
    return this.#clock.now();
  }

  /**
   * Takes the stamp that the leader of a partition gave to a probe.
   *
   * @param sentAt the own time before the request; `answeredAt` after the answer.
   */
  note(partition: number, stampedAt: number, sentAt: number, answeredAt: number): void {
    const least = Math.min(sentAt, answeredAt) - stampedAt;
    const most = Math.max(sentAt, answeredAt) - stampedAt;
    const aheadMs = least > 0 ? least : Math.min(most, 0);
    this.#measured.set(partition, { aheadMs, at: performance.now() });
  }

  /**
   * Milliseconds by which this process's clock is at least ahead of the broker's that differs most; negative where it is
   * behind; 0 where no difference is certain.
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
