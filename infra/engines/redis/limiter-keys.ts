import type { KeyMode } from '../../../schemas/limiter/keys.ts';
import type { Check, LimiterKey } from '../../../topics/ports/limiter.ts';

/**
 * The names of the limiter's keys. All of one account carry the same hash tag, so that one script may touch them in a
 * cluster, too. What a caller chose stands last, behind the length of what precedes it, so that no two pairs of namespace
 * and identifier share a name; account, key and mode hold neither `:` nor braces.
 */
export class LimiterKeys {
  readonly #prefix: string;
  /** Accounts by the time from which on their counts are to be offered. */
  readonly due: string;
  /** Accounts by the time at which they were noted last. */
  readonly noted: string;

  constructor(prefix: string) {
    this.#prefix = `${prefix}limiter:`;
    this.due = `${this.#prefix}{accounts}:due`;
    this.noted = `${this.#prefix}{accounts}:noted`;
  }

  /** What is known and counted of one key. */
  card({ account, keyId }: LimiterKey): string {
    return `${this.#prefix}{${account}}:key:${keyId}`;
  }

  window({ account, mode, windowMs, namespace, identifier }: Check): string {
    return `${this.#prefix}{${account}}:window:${mode}:${windowMs}:${namespace.length}:${namespace}:${identifier}`;
  }

  /** How many windows of an account are there. */
  windows(account: string): string {
    return `${this.#prefix}{${account}}:windows`;
  }

  /** The keys of an account whose counts wait to be published. */
  dirty(account: string): string {
    return `${this.#prefix}{${account}}:dirty`;
  }

  remembered({ account, keyId }: LimiterKey, digest: string): string {
    return `${this.#prefix}{${account}}:remembered:${keyId}:${digest}`;
  }
}

/** How a key is named in its account's set of those with counts to be published: the mode goes along. */
export function memberOf(keyId: string, mode: KeyMode): string {
  return `${mode}:${keyId}`;
}

/** The inverse of {@link memberOf}. */
export function keyOfMember(member: string): { readonly keyId: string; readonly mode: KeyMode } {
  const [mode, keyId = ''] = member.split(':');
  return { keyId, mode: mode === 'live' ? 'live' : 'test' };
}
