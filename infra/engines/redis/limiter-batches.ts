import type { Redis } from 'ioredis';
import { Shares } from '../../../schemas/base/shares.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import {
  type AskedCheck,
  CHECK_EACH_MAX,
  CHECK_REMEMBERED_MS,
  type CheckEntry,
  type CheckingKey,
  type ChecksResult,
  DENIED_KEPT_MS,
  DENIED_WINDOWS_MAX,
  type EachAnswered,
  type KeyUndecided,
  ofOneEntry,
} from '../../../topics/ports/limiter.ts';
import { askWithTimeout, placed } from './connection.ts';
import { type DecidedResult, type Decoded, decodeChecked } from './limiter-answers.ts';
import { type LimiterKeys, memberOf } from './limiter-keys.ts';
import { Script } from './script.ts';
import type { ServerMemory } from './server-memory.ts';
import { type QuotaKey, UsedUpKeys } from './used-up-keys.ts';

/**
 * Entries under way at once, of which each account has its share. A server cannot answer more within the timeout of a
 * check; they would all be late and cost the connection.
 */
export const ENTRIES_UNDER_WAY_MAX = 4_000;

/**
 * Entries in one run of the script, which blocks the server: with 6 to 13 microseconds each, for about a millisecond
 * (infra/docs/performance.md).
 */
const BATCH_MAX = CHECK_EACH_MAX;

/** Means "any number of calls a month" in the script's arguments. */
const NO_MONTH_QUOTA = -1;

/** The results of calls of one caller, which are all decided or none. */
type Results = Decoded | KeyUndecided;

interface Waiter {
  readonly calls: number;
  readonly resolve: (results: Results) => void;
  readonly reject: (error: unknown) => void;
}

/** Entries that are decided together. */
type Call = Pick<CheckingKey, 'idempotency'> & { readonly entries: readonly CheckEntry[] };

/** Calls of one key and quota that are sent together. */
interface Batch {
  readonly first: QuotaKey;
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
    const decided = await this.#join(stateKey, key, entries.length, [
      { entries, idempotency: key.idempotency },
    ]);
    if (decided.kind !== 'decided') return decided;
    const [result] = decided.results;
    if (result === undefined) throw new Error('reading the result of a call that the script did not decide');
    return result;
  }

  /** Decides calls with one entry each. @throws {EngineUnavailableError} like {@link check} */
  async checkEach(key: QuotaKey, calls: readonly AskedCheck[]): Promise<EachAnswered | KeyUndecided> {
    const stateKey = this.#keys.state(key);
    const asked = calls.map((call) => ({ entries: [call], idempotency: call.idempotency }));
    const refused = this.#usedUp.has(stateKey)
      ? asked.map(({ entries, idempotency }) =>
          this.#usedUp.refuse(stateKey, { ...key, idempotency }, entries),
        )
      : [];
    const sent = asked.filter((_, index) => (refused[index] ?? null) === null);
    const [known] = refused.filter((refusal) => refusal !== null);
    if (known !== undefined && sent.length === 0) {
      const { quotas, now } = known;
      return { kind: 'each-answered', results: refused.map((refusal) => refusal ?? known), quotas, now };
    }
    const decided = await this.#join(stateKey, key, sent.length, sent);
    if (decided.kind !== 'decided') return decided;
    const { results, quotas, now } = decided;
    let next = 0;
    return {
      kind: 'each-answered',
      results: asked.map((_, index) => {
        const refusal = refused[index] ?? null;
        if (refusal !== null) return refusal;
        next += 1;
        return ofOneEntry(results[next - 1] as DecidedResult);
      }),
      quotas,
      now,
    };
  }

  /** Adds calls of one caller to the open batch of their key. One batch takes them all. */
  async #join(stateKey: string, key: QuotaKey, entries: number, calls: readonly Call[]): Promise<Results> {
    const taking = this.#underWay.take(key.account, entries);
    if (taking === 'full') throw new EngineUnavailableError(placed(this.#engine, this.#client));
    if (taking === 'share-full') return { kind: 'share-full' };
    return await new Promise((resolve, reject) => {
      const batch = this.#batchOf(stateKey, key, entries);
      batch.entries += entries;
      for (const call of calls) this.#add(batch, key, call);
      batch.waiters.push({ calls: calls.length, resolve, reject });
    });
  }

  #add({ keys, args }: Batch, key: QuotaKey, { entries, idempotency }: Call): void {
    const { account, mode } = key;
    args.push(entries.length, idempotency?.inputDigest ?? '');
    for (const { namespace, identifier, limit, windowMs, cost } of entries) {
      const window = { account, mode, namespace, identifier, windowMs };
      const [stored, inFull] = [this.#keys.window(window), this.#keys.namedInFull(window)];
      keys.push(stored);
      if (stored !== inFull) keys.push(inFull);
      args.push(limit, windowMs, cost, stored === inFull ? 0 : 1);
    }
    if (idempotency !== null) keys.push(this.#keys.remembered(key, idempotency.digest));
  }

  /** Sends the refused calls that no answer has counted, before the connection ends. */
  countRefused(): void {
    this.#usedUp.countAll();
    this.#sendAll();
  }

  #batchOf(stateKey: string, key: QuotaKey, entries: number): Batch {
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
      const decoded = decodeChecked(answer, { quota: first.quota, memory });
      if (decoded.kind === 'decided') this.#usedUp.learn(stateKey, first, sentAt, decoded.results);
      else this.#usedUp.decideAgain(stateKey, refused);
      settle(waiters, decoded);
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    } finally {
      this.#underWay.giveBack(first.account, entries);
    }
  }
}

/** Resolves each waiter with the results of its calls. */
function settle(waiters: readonly Waiter[], decoded: Results): void {
  let from = 0;
  for (const { calls, resolve } of waiters) {
    const isWhole = decoded.kind !== 'decided' || calls === decoded.results.length;
    resolve(isWhole ? decoded : { ...decoded, results: decoded.results.slice(from, from + calls) });
    from += calls;
  }
}

function isOfBatch({ mode, quota, windowsMax }: QuotaKey, first: QuotaKey): boolean {
  return (
    mode === first.mode &&
    quota.minute === first.quota.minute &&
    quota.month === first.quota.month &&
    windowsMax === first.windowsMax
  );
}
