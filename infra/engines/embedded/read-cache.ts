import { LRUCache } from 'lru-cache';

/** What is kept at most: so many things, and texts of so many characters together. */
const THINGS_MAX = 10_000;
const CHARACTERS_MAX = 8 * 1_024 * 1_024;

/** Set by tests: what is kept is frozen, so that whoever changes it throws. */
const FROZEN_VARIABLE = 'SVC_TEST_FROZEN_READS';
const freezes = process.env[FROZEN_VARIABLE] === 'on';

/** No name of a table or kind and no id of ours contains it. */
const SEPARATOR = '\0';

/**
 * What was read lately, as it was parsed; nobody changes it. This process is the only one that writes the file, so whoever
 * writes removes within the same transaction what is not true any more, and nothing is read before that is committed.
 */
export class ReadCache<Value extends object> {
  readonly #kept = new LRUCache<string, Value>({ max: THINGS_MAX, maxSize: CHARACTERS_MAX });

  get(...name: readonly string[]): Value | undefined {
    return this.#kept.get(name.join(SEPARATOR));
  }

  /** @param characters of the text that the value was parsed from */
  keep(value: Value, characters: number, ...name: readonly string[]): void {
    if (freezes) freezeDeeply(value);
    this.#kept.set(name.join(SEPARATOR), value, { size: characters + 1 });
  }

  /** To be called in the transaction that writes. */
  remove(...name: readonly string[]): void {
    this.#kept.delete(name.join(SEPARATOR));
  }
}

function freezeDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const each of Object.values(value)) freezeDeeply(each);
}
