import type { Redis } from 'ioredis';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { CHECK_REMEMBERED_MS, type Check, type CheckResult } from '../../../topics/ports/limiter.ts';
import { askPatiently } from './connection.ts';
import { decodeChecked } from './limiter-answers.ts';
import { type LimiterKeys, memberOf } from './limiter-keys.ts';
import { Script } from './script.ts';
import type { ServerMemory } from './server-memory.ts';

/**
 * Checks under way at once. More than a server answers within the time that a check may take would only run late together,
 * and cost the connection: what comes on top is refused at once.
 */
export const CHECKS_UNDER_WAY_MAX = 2_000;

/** Checks that one run of the script makes: nobody else is served meanwhile. */
const BATCH_MAX = 64;

/** Stands for "any number of calls a month" in the script's arguments. */
const NO_MONTH_QUOTA = -1;

interface Waiter {
  readonly resolve: (result: CheckResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Checks of one key and quota that travel together. */
interface Batch {
  readonly first: Check;
  readonly keys: string[];
  readonly args: (string | number)[];
  readonly waiters: Waiter[];
}

/**
 * Sends all checks of one key that arrive in the same turn of the event loop as one command, and the commands of one turn
 * together: under load a round trip, the reading of the key's card and its writing are shared by many.
 */
export class LimiterBatches {
  readonly #client: Redis;
  readonly #keys: LimiterKeys;
  readonly #memory: ServerMemory;
  readonly #engine: string;
  readonly #script = new Script('limiter-check');
  readonly #open = new Map<string, Batch>();
  #underWay = 0;

  constructor(client: Redis, keys: LimiterKeys, memory: ServerMemory, engine: string) {
    this.#client = client;
    this.#keys = keys;
    this.#memory = memory;
    this.#engine = engine;
  }

  /** @throws {EngineUnavailableError} when there is no answer in time, or too much is under way. */
  check(check: Check): Promise<CheckResult> {
    if (this.#underWay >= CHECKS_UNDER_WAY_MAX) {
      return Promise.reject(new EngineUnavailableError(this.#engine));
    }
    this.#underWay += 1;
    return new Promise((resolve, reject) => {
      const { keys, args, waiters } = this.#batchOf(check);
      keys.push(this.#keys.window(check));
      args.push(check.limit, check.windowMs, check.cost, check.idempotency?.inputDigest ?? '');
      if (check.idempotency !== null) keys.push(this.#keys.remembered(check, check.idempotency.digest));
      waiters.push({ resolve, reject });
    });
  }

  #batchOf(check: Check): Batch {
    const card = this.#keys.card(check);
    const open = this.#open.get(card);
    if (open !== undefined) {
      if (open.waiters.length < BATCH_MAX && isOfBatch(check, open.first)) return open;
      this.#send(card, open);
    }
    const { mode, keyId, account, quota, windowsMax } = check;
    const batch = {
      first: check,
      keys: [card, this.#keys.dirty(account), this.#keys.windows(account)],
      args: [
        memberOf(keyId, mode),
        quota.minute,
        quota.month ?? NO_MONTH_QUOTA,
        CHECK_REMEMBERED_MS,
        windowsMax,
      ],
      waiters: [],
    };
    if (this.#open.size === 0) setImmediate(() => this.#sendAll());
    this.#open.set(card, batch);
    return batch;
  }

  #sendAll(): void {
    const { stream } = this.#client;
    // What is written until the end of this turn leaves in one piece.
    stream?.cork();
    for (const [card, batch] of this.#open) this.#send(card, batch);
    stream?.uncork();
  }

  #send(card: string, batch: Batch): void {
    this.#open.delete(card);
    void this.#answer(batch);
  }

  async #answer({ first, keys, args, waiters }: Batch): Promise<void> {
    const run = (memory: string) => this.#script.run(this.#client, keys, [memory, ...args]);
    try {
      const known = this.#memory.name();
      // What is known is sent in this turn, together with the other batches.
      const memory = typeof known === 'string' ? known : await known;
      const answer = await askPatiently(this.#client, this.#engine, () => run(memory));
      const results = decodeChecked(answer, waiters.length, { quota: first.quota, memory });
      for (const [index, result] of results.entries()) waiters[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    } finally {
      this.#underWay -= waiters.length;
    }
  }
}

function isOfBatch({ mode, quota, windowsMax }: Check, first: Check): boolean {
  return (
    mode === first.mode &&
    quota.minute === first.quota.minute &&
    quota.month === first.quota.month &&
    windowsMax === first.windowsMax
  );
}
