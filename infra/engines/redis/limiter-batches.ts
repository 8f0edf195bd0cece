import type { Redis } from 'ioredis';
import { Shares } from '../../../schemas/base/shares.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import {
  CHECK_REMEMBERED_MS,
  type CheckEntry,
  type CheckingKey,
  type ChecksResult,
  DENIED_KEPT_MS,
  DENIED_WINDOWS_MAX,
} from '../../../topics/ports/limiter.ts';
import { askWithTimeout, placed } from './connection.ts';
import { decodeChecked, isDecided } from './limiter-answers.ts';
import { type LimiterKeys, memberOf } from './limiter-keys.ts';
import { Script } from './script.ts';
import type { ServerMemory } from './server-memory.ts';
import { UsedUpKeys } from './used-up-keys.ts';

/**
 * Entries under way at once, of which each account has its share. A server cannot answer more within the timeout of a
 * check; they would all be late and cost the connection.
 */
export const ENTRIES_UNDER_WAY_MAX = 4_000;

/** Entries in one run of the script, which blocks the server. */
const BATCH_MAX = 64;

/** Means "any number of calls a month" in the script's arguments. */
const NO_MONTH_QUOTA = -1;

interface Waiter {
  readonly resolve: (result: ChecksResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls of one key and quota that are sent together. */
interface Batch {
  readonly first: CheckingKey;
  /** Of all calls together. */
  entries: number;
  /** Earlier calls that were refused without the script, which it counts. */
  readonly refused: number;
  readonly keys: string[];
  readonly args: (string | number)[];
  readonly waiters: Waiter[];
}

/**
 * Sends all checks of one key that arrive in the same turn of the event loop as one command, and the commands of one
 * turn together. Under load, many checks share one round trip and one read and write of the key's state.
 */
export class LimiterBatches {
  readonly #client: Redis;
  readonly #keys: LimiterKeys;
  readonly #memory: ServerMemory;
  readonly #engine: string;
  readonly #script = new Script('limiter-check');
  readonly #open = new Map<string, Batch>();
  readonly #underWay = new Shares(ENTRIES_UNDER_WAY_MAX);
  readonly #usedUp = new UsedUpKeys((stateKey, key) => void this.#batchOf(stateKey, key, 0));

  constructor(client: Redis, keys: LimiterKeys, memory: ServerMemory, engine: string) {
    this.#client = client;
    this.#keys = keys;
    this.#memory = memory;
    this.#engine = engine;
  }

  /** @throws {EngineUnavailableError} if no answer arrives in time, or the entries of all accounts are too many */
  async check(key: CheckingKey, entries: readonly CheckEntry[]): Promise<ChecksResult> {
    const stateKey = this.#keys.state(key);
    const refused = this.#usedUp.refuse(stateKey, key, entries);
    if (refused !== null) return refused;
    const taking = this.#underWay.take(key.account, entries.length);
    if (taking === 'full') throw new EngineUnavailableError(placed(this.#engine, this.#client));
    if (taking === 'share-full') return { kind: 'share-full' };
    return await new Promise((resolve, reject) => {
      const { account, mode, idempotency } = key;
      const batch = this.#batchOf(stateKey, key, entries.length);
      const { keys, args, waiters } = batch;
      batch.entries += entries.length;
      args.push(entries.length, idempotency?.inputDigest ?? '');
      for (const { namespace, identifier, limit, windowMs, cost } of entries) {
        const window = { account, mode, namespace, identifier, windowMs };
        const [stored, inFull] = [this.#keys.window(window), this.#keys.namedInFull(window)];
        keys.push(stored);
        if (stored !== inFull) keys.push(inFull);
        args.push(limit, windowMs, cost, stored === inFull ? 0 : 1);
      }
      if (idempotency !== null) keys.push(this.#keys.remembered(key, idempotency.digest));
      waiters.push({ resolve, reject });
    });
  }

  /** Sends the refused calls that no answer has counted, before the connection ends. */
  countRefused(): void {
    this.#usedUp.countAll();
    this.#sendAll();
  }

  #batchOf(stateKey: string, key: CheckingKey, entries: number): Batch {
    const open = this.#open.get(stateKey);
    if (open !== undefined) {
      if (open.entries + entries <= BATCH_MAX && isOfBatch(key, open.first)) return open;
      this.#send(stateKey, open);
    }
    const { mode, keyId, account, quota, windowsMax } = key;
    const refused = this.#usedUp.takeUncounted(stateKey);
    const batch: Batch = {
      first: key,
      entries: 0,
      refused,
      keys: [
        stateKey,
        this.#keys.unpublished(account),
        this.#keys.windows(account),
        ...this.#keys.denied(key),
      ],
      args: [
        memberOf(keyId, mode),
        quota.minute,
        quota.month ?? NO_MONTH_QUOTA,
        CHECK_REMEMBERED_MS,
        windowsMax,
        DENIED_WINDOWS_MAX,
        DENIED_KEPT_MS,
        refused,
      ],
      waiters: [],
    };
    if (this.#open.size === 0) setImmediate(() => this.#sendAll());
    this.#open.set(stateKey, batch);
    return batch;
  }

  #sendAll(): void {
    const { stream } = this.#client;
    // Sends the commands of this turn in one write.
    stream?.cork();
    for (const [stateKey, batch] of this.#open) this.#send(stateKey, batch);
    stream?.uncork();
  }

  #send(stateKey: string, batch: Batch): void {
    this.#open.delete(stateKey);
    void this.#answer(stateKey, batch);
  }

  async #answer(stateKey: string, batch: Batch): Promise<void> {
    const { first, entries, refused, keys, args, waiters } = batch;
    const sentAt = performance.now();
    const run = (memory: string) => this.#script.run(this.#client, keys, [memory, ...args]);
    try {
      const known = this.#memory.name();
      // A known name is used in this turn, so that the batches are sent together.
      const memory = typeof known === 'string' ? known : await known;
      const answer = await askWithTimeout(this.#client, this.#engine, () => run(memory));
      const results = decodeChecked(answer, waiters.length, { quota: first.quota, memory });
      if (isDecided(answer)) this.#usedUp.learn(stateKey, first, sentAt, results);
      else this.#usedUp.decideAgain(stateKey, refused);
      for (const [index, result] of results.entries()) waiters[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    } finally {
      this.#underWay.giveBack(first.account, entries);
    }
  }
}

function isOfBatch({ mode, quota, windowsMax }: CheckingKey, first: CheckingKey): boolean {
  return (
    mode === first.mode &&
    quota.minute === first.quota.minute &&
    quota.month === first.quota.month &&
    windowsMax === first.windowsMax
  );
}
