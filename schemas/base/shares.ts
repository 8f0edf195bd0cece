/** `share-full`: the holder has its share; `full`: nothing is free for a holder that has none. Then nothing was taken. */
export type Taking = 'taken' | 'share-full' | 'full';

/**
 * A bound for several holders. Each may hold as much as is free for all, so one alone fills half of it, and several
 * greedy ones leave as much as each of them has (dynamic thresholds: Choudhury and Hahne, "Dynamic queue length thresholds
 * for shared-memory packet switches", 1998).
 */
export class Shares {
  /** Units that all holders may hold together. A lower one takes nothing back. */
  max: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  /** @param max whole units that all holders may hold together */
  constructor(max: number) {
    this.max = max;
  }

  /** Takes all units or none, until {@link giveBack}. */
  take(holder: string, units: number): Taking {
    const held = this.#held.get(holder) ?? 0;
    if (held + units > this.max - this.#taken) return held > 0 ? 'share-full' : 'full';
    this.add(holder, units);
    return 'taken';
  }

  /** Takes units also beyond the bound, until {@link giveBack}. */
  add(holder: string, units: number): void {
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + units);
    this.#taken += units;
  }

  giveBack(holder: string, units: number): void {
    const left = (this.#held.get(holder) ?? 0) - units;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
    this.#taken -= units;
  }
}
