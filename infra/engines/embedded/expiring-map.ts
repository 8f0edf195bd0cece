import { EngineFullError } from '../../../topics/ports/failures.ts';

/** Entries that each new one checks and drops if they have ended: more than one, so that dropping outruns adding. */
const CHECKED_A_KEY = 4;

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
    for (let checked = 0; checked < CHECKED_A_KEY; checked += 1) {
      const entry = this.#cursor.next();
      if (entry.done === true) {
        this.#cursor = this.#entries.entries();
        break;
      }
      const [held, value] = entry.value;
      if (value.resetAt <= now) this.#entries.delete(held);
    }
    return this.#entries.size < this.#max;
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
