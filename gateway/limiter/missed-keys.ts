import { type Fault, serviceError } from '../../schemas/base/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';

/** Addresses that are counted in one minute. More of them at once do not come from one caller, so they are not counted. */
const ADDRESSES_MAX = 10_000;

/** Look-ups of one unknown key in a minute: the key may have been created meanwhile. After them it counts as unknown until the minute ends. */
export const LOOKUPS_OF_A_KEY = 3;

interface Missed {
  lookups: number;
  /** Look-ups of each key, by its digest. */
  readonly byKey: Map<string, number>;
}

/**
 * Bounds the lookups of unknown keys by address, in this process. A key that was found before needs no lookup and is
 * never refused here. A caller that repeats one wrong key uses only a small part of its address's lookups, so that a
 * new key of a neighbour still works.
 */
export class MissedKeys {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #addresses = new Map<string, Missed>();
  #minuteEnds = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Takes one look-up.
   *
   * @returns false where none is needed, because the key was just looked up in vain.
   * @throws {ServiceError} `rate_limited` when the address has no look-up left in this minute.
   */
  take(address: string, digest: string): boolean {
    const now = this.#now();
    if (now >= this.#minuteEnds) {
      this.#addresses.clear();
      this.#minuteEnds = now + MINUTE_MS;
    }
    const missed = this.#addresses.get(address) ?? { lookups: 0, byKey: new Map() };
    const ofKey = missed.byKey.get(digest) ?? 0;
    if (ofKey >= LOOKUPS_OF_A_KEY) return false;
    if (missed.lookups >= this.#perMinute) {
      const seconds = Math.ceil((this.#minuteEnds - now) / SECOND_MS);
      const fault: Fault = {
        at: 'request.rate',
        seen: `more than ${this.#perMinute} requests with unknown keys from this address in a minute`,
        expected: `at most ${this.#perMinute}`,
      };
      throw serviceError('rate_limited', fault, seconds);
    }
    missed.lookups += 1;
    missed.byKey.set(digest, ofKey + 1);
    if (this.#addresses.size < ADDRESSES_MAX) this.#addresses.set(address, missed);
    return true;
  }

  /** Gives one back: the key was found, or the look-up failed. */
  giveBack(address: string, digest: string): void {
    const missed = this.#addresses.get(address);
    const ofKey = missed?.byKey.get(digest);
    if (missed === undefined || ofKey === undefined) return;
    missed.lookups -= 1;
    if (ofKey === 1) missed.byKey.delete(digest);
    else missed.byKey.set(digest, ofKey - 1);
  }
}
