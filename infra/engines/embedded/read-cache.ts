import { LRUCache } from 'lru-cache';
import { freezeDeeply } from '../../../schemas/base/freeze.ts';

/** Bounds of the cache: its values, and the characters of their texts together. */
const THINGS_MAX = 10_000;
const CHARACTERS_MAX = 8 * 1_024 * 1_024;

/** Set by tests: freezes cached values, so that code that changes one throws. */
const FROZEN_VARIABLE = 'SVC_TEST_FROZEN_READS';
const freezes = process.env[FROZEN_VARIABLE] === 'on';

/** A separator that no name of a table or kind and no id contains. */
const SEPARATOR = '\0';

/**
 * A cache of parsed reads, whose values must not be changed. This process is the only writer of the file. A write
 * removes the outdated values in its transaction, and no read happens before that is committed.
 */
export class ReadCache<Value extends object> {
  readonly #kept = new LRUCache<string, Value>({ max: THINGS_MAX, maxSize: CHARACTERS_MAX });

  get(...name: readonly string[]): Value | undefined {
    return this.#kept.get(name.join(SEPARATOR));
  }

  /** @param characters of the text from which the value was parsed */
  keep(value: Value, characters: number, ...name: readonly string[]): void {
    if (freezes) freezeDeeply(value);
    this.#kept.set(name.join(SEPARATOR), value, { size: characters + 1 });
  }

  /** Removes a value. Call it in the transaction that writes. */
  remove(...name: readonly string[]): void {
    this.#kept.delete(name.join(SEPARATOR));
  }
}
