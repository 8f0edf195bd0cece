import type { Redis } from 'ioredis';
import { DAY_MS, endOfUtcMonth, MINUTE_MS } from '../../../schemas/base/time.ts';
import {
  type AccountWindow,
  type AskedCheck,
  type Check,
  type CheckEntry,
  type CheckingKey,
  type CheckResult,
  type ChecksResult,
  DENIED_KEPT_MS,
  type DeniedWindows,
  type EachAnswered,
  KEY_STATUS_LIFE_MS,
  type KeyStatus,
  type KeyStatusEntry,
  type KeyUndecided,
  type Limiter,
  type LimiterKey,
  type MonthUse,
  mostDenied,
  ofOneEntry,
  type RunningWindow,
  type StatusMissing,
  USAGE_INTERVAL_MS,
  type UsageCount,
} from '../../../topics/ports/limiter.ts';
import { askWithTimeout, connectWithoutTimeout, type RedisSettings } from './connection.ts';
import { decodePending, decodeStatus, decodeWindow } from './limiter-answers.ts';
import { LimiterBatches } from './limiter-batches.ts';
import { keyOfMember, LimiterKeys, memberOf } from './limiter-keys.ts';
import { Script } from './script.ts';
import { ServerMemory } from './server-memory.ts';

/** Lifetime of the state of an unused key: longer than a month, whose calls it counts. */
const KEY_STATE_KEPT_MS = 40 * DAY_MS;

/**
 * Time after its registration for which an account is polled for counts. Its keys count only under a valid status,
 * and each status is written after a registration. The rest is for calls and commands under way.
 */
const REGISTERED_LIFE_MS = KEY_STATUS_LIFE_MS + 10 * MINUTE_MS;

/** Accounts of one claim, and claims of one call of `pendingUsage`. Most accounts have nothing to publish. */
const CLAIMED_ACCOUNTS_MAX = 100;
const CLAIMS_MAX = 100;

const ENGINE = 'rate limiter';

/** An account of a claim; `noted` is its last registration if that is over, else an empty text. */
interface ClaimedAccount {
  readonly account: string;
  readonly noted: string;
}

/**
 * The limiter of any number of gateways on one Redis primary, with one round trip a check. It has a separate
 * connection, without a queue while the server is down, and sends no command twice.
 *
 * Exact while the primary stays. A failover may admit again the calls that were not replicated. A server that loses
 * its data restarts windows and minutes, requests statuses and months again, and loses the unpublished counts: those
 * of the last {@link USAGE_INTERVAL_MS} and of the time that publishing takes.
 *
 * A status is valid only on the server, run and primary to which it was written ({@link ServerMemory}): a restarted
 * or promoted server may have lost a later status, for example a revocation. A stored revocation is always valid.
 */
export class RedisLimiter implements Limiter {
  readonly #client: Redis;
  readonly #keys: LimiterKeys;
  readonly #memory: ServerMemory;
  readonly #batches: LimiterBatches;
  readonly #putStatus = new Script('limiter-put-status');
  readonly #readStatus = new Script('limiter-read-status');
  readonly #endWindow = new Script('limiter-end-window');
  readonly #denied = new Script('limiter-denied');
  readonly #fillMonth = new Script('limiter-fill-month');
  readonly #register = new Script('limiter-register');
  readonly #claim = new Script('limiter-claim');
  readonly #forget = new Script('limiter-forget');
  readonly #pending = new Script('limiter-pending');
  readonly #published = new Script('limiter-published');

  private constructor(client: Redis, keys: LimiterKeys, memory: ServerMemory) {
    this.#client = client;
    this.#keys = keys;
    this.#memory = memory;
    this.#batches = new LimiterBatches(client, keys, memory, ENGINE);
  }

  static async open(settings: RedisSettings): Promise<RedisLimiter> {
    const client = await connectWithoutTimeout(settings);
    try {
      return new RedisLimiter(client, new LimiterKeys(settings.prefix), await ServerMemory.of(client));
    } catch (error) {
      client.disconnect();
      throw error;
    }
  }

  async check(check: Check): Promise<CheckResult> {
    return ofOneEntry(await this.#batches.check(check, [check]));
  }

  checkAll(key: CheckingKey, entries: readonly CheckEntry[]): Promise<ChecksResult> {
    return this.#batches.check(key, entries);
  }

  checkEach(
    key: Omit<CheckingKey, 'idempotency'>,
    calls: readonly AskedCheck[],
  ): Promise<EachAnswered | KeyUndecided> {
    return this.#batches.checkEach(key, calls);
  }

  async readWindow(window: AccountWindow): Promise<RunningWindow | null> {
    const keys = [this.#keys.window(window), this.#keys.namedInFull(window)];
    // The server drops a window when it ends, by its own clock.
    const held = await askWithTimeout(this.#client, ENGINE, () => this.#client.mget(keys));
    return decodeWindow(held[0] ?? held[1] ?? null);
  }

  async endWindow(window: AccountWindow): Promise<boolean> {
    const keys = [
      this.#keys.window(window),
      this.#keys.windows(window.account),
      this.#keys.namedInFull(window),
    ];
    return (await this.#run(this.#endWindow, keys, [window.windowMs])) === 1;
  }

  async putKeyStatus({ status, version, memory, expiresAt, ...key }: KeyStatusEntry): Promise<void> {
    const validOn = memory ?? (await this.#memory.name());
    // Registers the account first: otherwise it could count without being polled.
    await this.#run(this.#register, [this.#keys.due, this.#keys.noted], [key.account]);
    await this.#run(
      this.#putStatus,
      [this.#keys.state(key)],
      [status, version, KEY_STATUS_LIFE_MS, KEY_STATE_KEPT_MS, validOn, expiresAt ?? ''],
    );
  }

  async readKeyStatus(key: LimiterKey): Promise<KeyStatus | StatusMissing> {
    const memory = await this.#memory.name();
    const status = decodeStatus(await this.#run(this.#readStatus, [this.#keys.state(key)], [memory]));
    return status ?? { kind: 'status-missing', memory };
  }

  async deniedWindows(key: LimiterKey): Promise<DeniedWindows> {
    const returned = await this.#run(this.#denied, this.#keys.denied(key), [DENIED_KEPT_MS]);
    const [since, ...named] = returned as [number, ...string[]];
    const counts = named.flatMap((name, index) =>
      index % 2 === 0 ? [[name, Number(named[index + 1])] as const] : [],
    );
    return { since, windows: mostDenied(counts, (name) => this.#keys.namedWindow(key.account, name)) };
  }

  async fillMonth({ month, used, ...key }: MonthUse): Promise<void> {
    await this.#run(
      this.#fillMonth,
      [this.#keys.state(key)],
      [month, used, endOfUtcMonth(month), KEY_STATE_KEPT_MS],
    );
  }

  async pendingUsage(limit: number): Promise<UsageCount[]> {
    for (let claims = 0; claims < CLAIMS_MAX; claims += 1) {
      const claimed = await this.#claimAccounts(Math.min(limit, CLAIMED_ACCOUNTS_MAX));
      const counts = await this.#countsOfAccounts(claimed, limit);
      if (counts.length > 0 || claimed.length === 0) return counts;
    }
    return [];
  }

  async #countsOfAccounts(claimed: readonly ClaimedAccount[], limit: number): Promise<UsageCount[]> {
    const counts: UsageCount[] = [];
    let room = limit;
    for (const { account, noted } of claimed) {
      const members = room > 0 ? await this.#unpublishedMembers(account, room) : null;
      room -= members?.length ?? 0;
      if (members?.length === 0 && noted !== '') {
        await this.#run(this.#forget, [this.#keys.due, this.#keys.noted], [account, noted]);
      }
      const found = (members ?? []).map((member) => this.#countsOf(account, member));
      counts.push(...(await Promise.all(found)).flat());
    }
    return counts;
  }

  async usagePublished(counts: readonly UsageCount[]): Promise<void> {
    const byKey = Map.groupBy(counts, (count) => this.#keys.state(count));
    await Promise.all([...byKey].map(([stateKey, ofKey]) => this.#notePublished(stateKey, ofKey)));
  }

  async close(): Promise<void> {
    this.#batches.countRefused();
    this.#client.disconnect();
  }

  async #notePublished(stateKey: string, counts: readonly UsageCount[]): Promise<void> {
    const [first] = counts;
    if (first === undefined) return;
    const minutes = counts.flatMap(({ minute, incarnation, allowed, denied, refused }) => [
      minute / MINUTE_MS,
      `${incarnation} ${allowed} ${denied} ${refused}`,
    ]);
    const keys = [stateKey, this.#keys.unpublished(first.account)];
    await this.#run(this.#published, keys, [memberOf(first.keyId, first.mode), ...minutes]);
  }

  async #claimAccounts(limit: number): Promise<ClaimedAccount[]> {
    const keys = [this.#keys.due, this.#keys.noted];
    const claimed = await this.#run(this.#claim, keys, [limit, USAGE_INTERVAL_MS, REGISTERED_LIFE_MS]);
    const texts = claimed as string[];
    return texts.flatMap((account, index) =>
      index % 2 === 0 ? [{ account, noted: texts[index + 1] ?? '' }] : [],
    );
  }

  async #unpublishedMembers(account: string, limit: number): Promise<string[]> {
    return await askWithTimeout(this.#client, ENGINE, () =>
      this.#client.srandmember(this.#keys.unpublished(account), limit),
    );
  }

  async #countsOf(account: string, member: string): Promise<UsageCount[]> {
    const { keyId, mode } = keyOfMember(member);
    const keys = [this.#keys.state({ account, keyId }), this.#keys.unpublished(account)];
    return decodePending(await this.#run(this.#pending, keys, [member]), { account, keyId, mode });
  }

  #run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return askWithTimeout(this.#client, ENGINE, () => script.run(this.#client, keys, args));
  }
}
