// Reads: look-ups of kind `api-key`.
import { type ApiKeyTarget, apiKeyTargetSchema, limiterKeyDigest } from '../../schemas/limiter/keys.ts';
import type { Lookups } from '../../topics/ports/lookups.ts';

/** Keys that are remembered; beyond them the one that came first is forgotten, and looked up once more. */
export const REMEMBERED_KEYS_MAX = 10_000;

/**
 * Whose key a key is. That never changes, so an answer is remembered for as long as there is room, by the key's digest;
 * whether the key may still be used is not in it, and asked with every check.
 */
export class KnownKeys {
  readonly #lookups: Pick<Lookups, 'get'>;
  readonly #known = new Map<string, ApiKeyTarget>();

  constructor(lookups: Pick<Lookups, 'get'>) {
    this.#lookups = lookups;
  }

  /**
   * At once for a key that is remembered. Null for one that does not exist, which is not remembered: it may be made the next moment.
   *
   * @throws {EngineUnavailableError} when that cannot be known just now.
   */
  find(key: string): ApiKeyTarget | Promise<ApiKeyTarget | null> {
    const digest = limiterKeyDigest(key);
    return this.#known.get(digest) ?? this.#lookUp(digest);
  }

  async #lookUp(digest: string): Promise<ApiKeyTarget | null> {
    const found = await this.#lookups.get({ kind: 'api-key', digest });
    if (found === null) return null;
    const target = apiKeyTargetSchema.parse(found);
    const [first] = this.#known.keys();
    if (this.#known.size >= REMEMBERED_KEYS_MAX && first !== undefined) this.#known.delete(first);
    this.#known.set(digest, target);
    return target;
  }
}
