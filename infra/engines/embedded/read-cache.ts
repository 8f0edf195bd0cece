import { LRUCache } from 'lru-cache';
import { freezeDeeply } from '../../../schemas/base/freeze.ts';

/** The characters of all texts, with those of their entries, which also bound the number of values. */
const CHARACTERS_MAX = 8 * 1_024 * 1_024;
/** The characters that a value counts besides its text, for its name and its entry. */
const ENTRY_CHARACTERS = 128;

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
  readonly #kept = new LRUCache<string, Value>({ maxSize: CHARACTERS_MAX });

  get(...name: readonly string[]): Value | undefined {
    return this.#kept.get(name.join(SEPARATOR));
  }

  /** @param characters of the text from which the value was parsed */
  keep(value: Value, characters: number, ...name: readonly string[]): void {
    if (freezes) freezeDeeply(value);
    this.#kept.set(name.join(SEPARATOR), value, { size: characters + ENTRY_CHARACTERS });
  }

  /** Removes a value. Call it in the transaction that writes. */
  remove(...name: readonly string[]): void {
    this.#kept.delete(name.join(SEPARATOR));
  }
}
