import type { KeyMode } from '../../../schemas/limiter/keys.ts';
import type { AccountWindow, LimiterKey, WindowName } from '../../../topics/ports/limiter.ts';
import { storedNames } from '../shared/window-names.ts';

/**
 * The names of the limiter's keys. All keys of one account have the same hash tag, so that a script may use them
 * together in a cluster. Values of the caller come last, after the length of the namespace, so that no two pairs of
 * namespace and identifier share a name. Account, key and mode contain neither `:` nor braces.
 */
export class LimiterKeys {
  readonly #prefix: string;
  /** Accounts by the time from which their counts are offered again. */
  readonly due: string;
  /** Accounts by the time at which they were registered last. */
  readonly noted: string;

  constructor(prefix: string) {
    this.#prefix = `${prefix}limiter:`;
    this.due = `${this.#prefix}{accounts}:due`;
    this.noted = `${this.#prefix}{accounts}:noted`;
  }

  /** The state of one key: a hash of its status, its month and its counts. */
  state({ account, keyId }: LimiterKey): string {
    return `${this.#prefix}{${account}}:key:${keyId}`;
  }

  /** A window, by its {@link storedNames}. */
  window(window: AccountWindow): string {
    return this.namedInFull(storedNames(window));
  }

  /**
   * A window in the set of denied ones, whose names people read. Before version 0.2.0, windows with long names were stored
   * under it, too.
   */
  namedInFull({ account, mode, windowMs, namespace, identifier }: AccountWindow): string {
    return `${this.#prefix}{${account}}:window:${mode}:${windowMs}:${namespace.length}:${namespace}:${identifier}`;
  }

  /** Parses a name of {@link namedInFull}. */
  namedWindow(account: string, name: string): WindowName {
    const [, windowMs = '', length = '', ...rest] = name
      .slice(`${this.#prefix}{${account}}:window:`.length)
      .split(':');
    const text = rest.join(':');
    const namespace = text.slice(0, Number(length));
    return { windowMs: Number(windowMs), namespace, identifier: text.slice(namespace.length + 1) };
  }

  /** Windows by the denied calls of a key, lately and before. */
  denied({ account, keyId }: LimiterKey): [string, string] {
    const name = `${this.#prefix}{${account}}:denied:${keyId}`;
    return [name, `${name}:before`];
  }

  /** The number of an account's live windows. */
  windows(account: string): string {
    return `${this.#prefix}{${account}}:windows`;
  }

  /** The keys of an account with unpublished counts. */
  unpublished(account: string): string {
    return `${this.#prefix}{${account}}:dirty`;
  }

  remembered({ account, keyId }: LimiterKey, digest: string): string {
    return `${this.#prefix}{${account}}:remembered:${keyId}:${digest}`;
  }
}

/** Returns the name of a key, with its mode, in its account's set of unpublished keys. */
export function memberOf(keyId: string, mode: KeyMode): string {
  return `${mode}:${keyId}`;
}

/** Parses a name made by {@link memberOf}. */
export function keyOfMember(member: string): { readonly keyId: string; readonly mode: KeyMode } {
  const [mode, keyId = ''] = member.split(':');
  return { keyId, mode: mode === 'live' ? 'live' : 'test' };
}
