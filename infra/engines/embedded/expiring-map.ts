import { EngineFullError } from '../../../topics/ports/failures.ts';

/** Entries that each new one checks and drops if they have ended: more than one, so that dropping outruns adding. */
const CHECKED_A_KEY = 4;

/** Entries that a sweep checks for each one that it may drop. */
const CHECKED_A_DROP = 20;

interface Expiring {
  /** Unix milliseconds from which the entry counts as absent. */
  readonly resetAt: number;
}

/**
 * Values with an end each, in memory. New entries drop ended ones. If all are live, a new one is rejected instead of
 * evicting another.
 */
export class ExpiringMap<Value extends Expiring> {
  readonly #engine: string;
  readonly #max: number;
  readonly #entries = new Map<string, Value>();
  #cursor = this.#entries.entries();

  /** @param engine names the port in the error of a full map */
  constructor(engine: string, max: number) {
    this.#engine = engine;
    this.#max = max;
  }

  /** Returns the live value of a key, or undefined. */
  get(key: string, now: number): Value | undefined {
    const held = this.#entries.get(key);
    return held !== undefined && held.resetAt > now ? held : undefined;
  }

  /**
   * Checks that there is room for a key. Call it before the value is set, and before anything that belongs to it is
   * changed.
   *
   * @throws {EngineFullError} if the key is new and there is no room
   */
  makeRoomFor(key: string, now: number): void {
    if (!this.hasRoomFor(key, now)) throw new EngineFullError(this.#engine);
  }

  /** Drops a few ended entries. Returns true if a value can be set within the bound. */
  hasRoomFor(key: string, now: number): boolean {
    if (this.#entries.has(key)) return true;
    this.#dropEnded(now, { checkedMax: CHECKED_A_KEY, droppedMax: CHECKED_A_KEY });
    return this.#entries.size < this.#max;
  }

  /** Drops at most `max` ended entries. The next call continues where this one has stopped. Returns their number. */
  sweep(now: number, max: number): number {
    return this.#dropEnded(now, { checkedMax: CHECKED_A_DROP * max, droppedMax: max });
  }

  #dropEnded(now: number, bounds: { readonly checkedMax: number; readonly droppedMax: number }): number {
    let dropped = 0;
    const checkedMax = Math.min(bounds.checkedMax, this.#entries.size);
    for (let checked = 0; checked <= checkedMax && dropped < bounds.droppedMax; checked += 1) {
      const entry = this.#cursor.next();
      if (entry.done === true) {
        this.#cursor = this.#entries.entries();
        continue;
      }
      const [held, value] = entry.value;
      if (value.resetAt > now) continue;
      this.#entries.delete(held);
      dropped += 1;
    }
    return dropped;
  }

  /** Yields all live values, in no particular order. */
  *live(now: number): Generator<readonly [string, Value]> {
    for (const entry of this.#entries) if (entry[1].resetAt > now) yield entry;
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
