import { performance } from 'node:perf_hooks';
import { Shares, type Taking } from '../../../schemas/base/shares.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';

/** The work of the event loop that may be ahead of a request, in milliseconds. It bounds the queue by time, not by number. */
export const WORK_AHEAD_MS_MAX = 150;

/**
 * Requests that may be under way however long they take: background work also keeps the event loop busy. One caller alone
 * always has half of them.
 */
export const UNDER_WAY_MIN = 256;

/** The shortest time over which the event loop is measured. */
const INTERVAL_MS = 100;

/** The share of an interval without idle time from which requests queue up. */
const SATURATED_SHARE = 0.95;

/** The weight that an interval loses with the next one. */
const KEPT_SHARE = 0.8;

/** The time of a whole refusal over that of its answer: the rest is reading the request, which cannot be measured alone. */
const REFUSAL_OVER_ANSWER = 2;

/** A request that is older waits for something else than the event loop, such as a slow sender, and is no longer counted. */
const COUNTED_MS_MAX = SECOND_MS;

/** Reads monotonic times, in milliseconds. */
export interface LoopClock {
  readonly now: () => number;
  /** The time for which the event loop has been busy since it started. */
  readonly busyMs: () => number;
}

export const LOOP_CLOCK: LoopClock = {
  now: () => performance.now(),
  busyMs: () => performance.eventLoopUtilization().active,
};

/** A request that was admitted. */
export interface Place {
  readonly holder: string;
  readonly since: number;
  readonly weight: number;
}

/**
 * Decides which requests are admitted while the event loop has no idle time: as many as it handles within
 * {@link WORK_AHEAD_MS_MAX}, by the time that each has taken lately. Each holder has its share. A loop with idle time admits
 * all: then nothing waits for it.
 */
export class Overload {
  readonly #clock: LoopClock;
  readonly #shares = new Shares(UNDER_WAY_MIN);
  /** The oldest first. */
  readonly #underWay = new Set<Place>();
  #intervalAt: number;
  #busyAt: number;
  #isSaturated = false;
  #answered = 0;
  #refusedMs = 0;
  /** Sums over intervals, of which older ones weigh less. */
  #busySum = 0;
  #answeredSum = 0;

  constructor(clock: LoopClock = LOOP_CLOCK) {
    this.#clock = clock;
    this.#intervalAt = clock.now();
    this.#busyAt = clock.busyMs();
  }

  /** True if the event loop had no idle time in the latest interval. */
  get isSaturated(): boolean {
    return this.#isSaturated;
  }

  /** Requests that were admitted and not answered, without those that wait for something else. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Requests under way from which a saturated loop admits no more. */
  get most(): number {
    return this.#shares.max;
  }

  /**
   * Takes the place of a request, until {@link end}, or says why there is none.
   *
   * @param weight the number of short requests that take as long
   */
  admit(holder: string, weight = 1): Place | Exclude<Taking, 'taken'> {
    const now = this.#clock.now();
    if (now - this.#intervalAt >= INTERVAL_MS) this.#measure(now);
    if (this.#isSaturated) {
      const taking = this.#shares.take(holder, weight);
      if (taking !== 'taken') return taking;
    } else this.#shares.add(holder, weight);
    const place = { holder, since: now, weight };
    this.#underWay.add(place);
    return place;
  }

  /** Gives the place of an answered request back. */
  end(place: Place): void {
    this.#answered += place.weight;
    this.#giveBack(place);
  }

  /** Refuses a request. The time is not that of admitted ones: otherwise each refusal would lower the bound, and lead to more. */
  refuse(answer: () => void): void {
    const startedAt = this.#clock.now();
    answer();
    this.#refusedMs += REFUSAL_OVER_ANSWER * (this.#clock.now() - startedAt);
  }

  #giveBack(place: Place): void {
    if (this.#underWay.delete(place)) this.#shares.giveBack(place.holder, place.weight);
  }

  #measure(now: number): void {
    const busyAt = this.#clock.busyMs();
    const busyMs = busyAt - this.#busyAt;
    this.#isSaturated = busyMs >= SATURATED_SHARE * (now - this.#intervalAt);
    this.#busySum = KEPT_SHARE * this.#busySum + Math.max(0, busyMs - this.#refusedMs);
    this.#answeredSum = KEPT_SHARE * this.#answeredSum + this.#answered;
    const answeredAhead = (WORK_AHEAD_MS_MAX * this.#answeredSum) / Math.max(1, this.#busySum);
    this.#shares.max = Math.max(UNDER_WAY_MIN, Math.floor(answeredAhead));
    this.#answered = 0;
    this.#refusedMs = 0;
    this.#intervalAt = now;
    this.#busyAt = busyAt;
    for (const place of this.#underWay) {
      if (now - place.since < COUNTED_MS_MAX) break;
      this.#giveBack(place);
    }
  }
}
