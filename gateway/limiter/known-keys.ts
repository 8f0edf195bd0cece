// Reads: look-ups of kind `api-key`.

import type { JsonObject } from '../../schemas/base/json.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { type ApiKeyTarget, apiKeyTargetSchema, limiterKeyDigest } from '../../schemas/limiter/keys.ts';
import type { DigestIndex } from '../../topics/ports/digest-index.ts';
import type { MissedKeys } from './missed-keys.ts';

/** Keys that are remembered; beyond them the one that came first is forgotten, and looked up once more. */
export const REMEMBERED_KEYS_MAX = 10_000;

/**
 * Caches the owner of each API key by the digest of the key, for as long as there is room. The owner never changes; the status of
 * the key is read with every check.
 */
export class KnownKeys {
  readonly #digestIndex: Pick<DigestIndex, 'get'>;
  readonly #missed: MissedKeys;
  readonly #known = new Map<string, ApiKeyTarget>();
  /** Look-ups under way, by digest. */
  readonly #lookups = new Map<string, Promise<ApiKeyTarget | null>>();

  constructor(digestIndex: Pick<DigestIndex, 'get'>, missed: MissedKeys) {
    this.#digestIndex = digestIndex;
    this.#missed = missed;
  }

  /**
   * Returns the target of a key, at once if the key is cached. Returns null for an unknown key. Null is not cached,
   * because the key may be created at any moment; {@link MissedKeys} bounds these lookups for each address.
   *
   * @param addressKey returns the address of the request, for unknown keys
   * @throws {EngineUnavailableError} if the index does not answer
   * @throws {ServiceError} `rate_limited` if the address has sent too many unknown keys
   */
  find(key: string, addressKey: () => string): ApiKeyTarget | Promise<ApiKeyTarget | null> {
    const digest = limiterKeyDigest(key);
    return this.#known.get(digest) ?? this.#lookUpOnce(digest, addressKey());
  }

  /** Requests with one key share a look-up: each of them would count as one with an unknown key until it is answered. */
  #lookUpOnce(digest: string, address: string): Promise<ApiKeyTarget | null> {
    const running = this.#lookups.get(digest);
    if (running !== undefined) return running;
    const started = this.#lookUp(digest, address).finally(() => this.#lookups.delete(digest));
    this.#lookups.set(digest, started);
    return started;
  }

  async #lookUp(digest: string, address: string): Promise<ApiKeyTarget | null> {
    if (!this.#missed.take(address, digest)) return null;
    let isMissing = false;
    try {
      const found = await this.#digestIndex.get({ kind: 'api-key', digest });
      isMissing = found === null;
      return found === null ? null : this.#remember(digest, found);
    } finally {
      if (!isMissing) this.#missed.giveBack(address, digest);
    }
  }

  #remember(digest: string, found: JsonObject): ApiKeyTarget {
    const target = readStored(apiKeyTargetSchema, found);
    const [first] = this.#known.keys();
    if (this.#known.size >= REMEMBERED_KEYS_MAX && first !== undefined) this.#known.delete(first);
    this.#known.set(digest, target);
    return target;
  }
}
