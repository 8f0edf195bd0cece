import { type Fault, ServiceError, serviceError, usedKey } from '../../schemas/base/errors.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { DigestIndex, IndexKey } from '../../topics/ports/digest-index.ts';
import {
  type AskedCheck,
  CHECK_EACH_MAX,
  type Check,
  type CheckEntry,
  type CheckingKey,
  type CheckResult,
  type ChecksResult,
  type DeniedWindows,
  type EachAnswered,
  type EachResult,
  type KeyStatus,
  type Limiter,
  type LimiterKey,
  type RunningWindow,
  type Undecided,
  type WindowName,
} from '../../topics/ports/limiter.ts';
import type { LimiterMeter } from '../../topics/ports/meter.ts';
import { unknownCredential } from '../http/callers/unknown-credential.ts';
import { BoundedReads } from './bounded-reads.ts';
import type { KeySources } from './key-sources.ts';
import { KnownKeys } from './known-keys.ts';
import { MissedKeys } from './missed-keys.ts';

/** The part of a check of several limits that the caller states, besides the key. */
export interface AskedChecks extends Pick<Check, 'idempotency'> {
  readonly entries: readonly CheckEntry[];
}

/** A call that was not decided by its windows, because a quota of the key or the account is used up. */
export type Refused = Extract<Undecided, { kind: 'quota-exceeded' | 'windows-exhausted' }>;

/** A call that its windows have decided, or several independent ones. */
type Answered = Extract<CheckResult | ChecksResult, { kind: 'answered' }> | EachAnswered;

export type Decision = Extract<CheckResult, { kind: 'answered' }> | Refused;

export type ChecksDecision = Extract<ChecksResult, { kind: 'answered' }> | Refused;

/** The results of independent checks, in their order. */
export interface EachDecision extends Omit<EachAnswered, 'results'> {
  /** Of an error it is not known if the check was counted. */
  readonly results: readonly (EachResult | { readonly kind: 'failed'; readonly error: unknown })[];
}

/** The owner of windows: all keys of one mode share those of their organization. */
type WindowOwner = Pick<ApiKeyTarget, 'organizationId' | 'mode'>;

/** A check is asked again after a status and after a month; more often only if both get lost meanwhile. */
const ROUNDS_MAX = 4;

const SHARE_FULL: Fault = {
  at: 'request.rate',
  seen: 'more checks of this organization at the same time than its share of the service',
  expected: 'fewer at the same time',
};
const SHARE_RETRY_SECONDS = 1;

export interface CheckerOptions {
  readonly limiter: Limiter;
  readonly digestIndex: Pick<DigestIndex, 'get'>;
  readonly sources: KeySources;
  readonly limits: Limits['limiter'];
  /** Requests with unknown keys of one address that are looked up in a minute. */
  readonly unknownPerMinute: number;
  /** Absent: nothing is counted. */
  readonly meter?: LimiterMeter | undefined;
}

/** The limiter as gateways use it: what its memory lacks is read from the durable state and filled in. */
export class Checker {
  readonly #limiter: Limiter;
  readonly #sources: KeySources;
  readonly #quotas: Readonly<Record<ApiKeyTarget['mode'], CheckingKey['quota']>>;
  /** Windows that an organization may have at once. */
  readonly windowsMax: number;
  readonly #keys: KnownKeys;
  readonly #meter: LimiterMeter | undefined;
  readonly #reads = new BoundedReads();
  /** The fills under way, by what they fill: all checks that need the same data wait for one. */
  readonly #filling = new Map<string, Promise<void>>();

  constructor({ limiter, digestIndex, sources, limits, unknownPerMinute, meter }: CheckerOptions) {
    this.#meter = meter;
    this.#limiter = limiter;
    this.#sources = sources;
    const boundedIndex = { get: (key: IndexKey) => this.#reads.wait(() => digestIndex.get(key)) };
    this.#keys = new KnownKeys(boundedIndex, new MissedKeys(unknownPerMinute));
    this.windowsMax = limits.windows;
    this.#quotas = {
      test: { minute: limits.testPerMinute, month: limits.testPerMonth },
      live: { minute: limits.livePerMinute, month: null },
    };
  }

  /**
   * Returns the owner of a key, or null if there is no such key.
   *
   * @throws {ServiceError} `rate_limited` when the address has sent too many unknown keys.
   */
  find(key: string, addressKey: () => string): ApiKeyTarget | Promise<ApiKeyTarget | null> {
    return this.#keys.find(key, addressKey);
  }

  /**
   * Checks and counts.
   *
   * @throws {ServiceError} `unauthorized`, `payment_required`, `idempotency_conflict`, or `rate_limited` beyond the organization's
   *   share of what is under way; then nothing was counted.
   * @throws {EngineUnavailableError} when there is no answer in time; whether it was counted is not known.
   */
  check(target: ApiKeyTarget, asked: AskedCheck): Promise<Decision> {
    const check = { ...this.#keyOf(target), ...asked };
    return this.#decide(check, () => this.#limiter.check(check));
  }

  /** Like {@link check} for several limits at once: either all their windows change, or none does. */
  checkAll(target: ApiKeyTarget, { entries, idempotency }: AskedChecks): Promise<ChecksDecision> {
    const key = { ...this.#keyOf(target), idempotency };
    return this.#decide(key, () => this.#limiter.checkAll(key, entries));
  }

  /**
   * Decides checks one after the other, each like {@link check}. Rejects like it only if no check was decided before: later
   * failures are results.
   */
  async checkEach(target: ApiKeyTarget, asked: readonly AskedCheck[]): Promise<EachDecision> {
    const key = this.#keyOf(target);
    const decide = (from: number) =>
      this.#decide(key, () => this.#limiter.checkEach(key, asked.slice(from, from + CHECK_EACH_MAX)));
    let last = await decide(0);
    const results: EachDecision['results'][number][] = [...last.results];
    // One step after the other: a step that lacks a status is repeated before the next one.
    for (let from = CHECK_EACH_MAX; from < asked.length; from += CHECK_EACH_MAX) {
      try {
        last = await decide(from);
        results.push(...last.results);
      } catch (error) {
        results.push(
          ...asked.slice(from, from + CHECK_EACH_MAX).map(() => ({ kind: 'failed', error }) as const),
        );
      }
    }
    return { ...last, results };
  }

  #keyOf({ organizationId, keyId, mode }: ApiKeyTarget): Omit<CheckingKey, 'idempotency'> {
    return {
      account: organizationId,
      keyId,
      mode,
      quota: this.#quotas[mode],
      windowsMax: this.windowsMax,
    };
  }

  /** Asks until the limiter's memory lacks nothing. @throws {ServiceError} for a key or an Idempotency-Key that is refused */
  async #decide<Result extends Answered | Undecided>(
    key: LimiterKey,
    ask: () => Promise<Result>,
  ): Promise<Extract<Result, Answered | Refused>> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const startedAt = performance.now();
      let result: Answered | Undecided | null = null;
      try {
        result = await ask();
      } finally {
        this.#count(result, performance.now() - startedAt);
      }
      switch (result.kind) {
        case 'answered':
        case 'each-answered':
        case 'quota-exceeded':
        case 'windows-exhausted':
          return result as Extract<Result, Answered | Refused>;
        case 'revoked':
        case 'payment-required':
          throw refusalOf(result.kind);
        case 'share-full':
          throw serviceError('rate_limited', SHARE_FULL, SHARE_RETRY_SECONDS);
        case 'idempotency-conflict':
          throw new ServiceError(usedKey('header.Idempotency-Key'));
        case 'status-missing':
          await this.#fillStatus(key, result.memory);
          break;
        case 'month-missing':
          await this.#fillMonth(key, result.month);
          break;
      }
    }
    throw new Error('checking a key whose status and month keep getting lost');
  }

  #count(result: Answered | Undecided | null, ms: number): void {
    const checks: readonly Parameters<typeof nameOf>[0][] =
      result?.kind === 'each-answered' ? result.results : [result];
    for (const check of checks) this.#meter?.checked(nameOf(check), ms);
  }

  /**
   * Makes sure that the key may be used, for a request that goes no further.
   *
   * @throws {ServiceError} `unauthorized` or `payment_required`.
   */
  async requireUsable({ organizationId, keyId }: ApiKeyTarget): Promise<void> {
    const key = { account: organizationId, keyId };
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const status = await this.#limiter.readKeyStatus(key);
      if (status === 'active') return;
      if (typeof status === 'string') throw refusalOf(status);
      await this.#fillStatus(key, status.memory);
    }
    throw new Error('reading the status of a key that keeps getting lost');
  }

  /** Which windows of a key denied most calls lately. @throws {EngineUnavailableError} when there is no answer in time. */
  deniedWindows(account: string, keyId: string): Promise<DeniedWindows> {
    return this.#limiter.deniedWindows({ account, keyId });
  }

  /** The window of an identifier, or null: none is running. @throws {EngineUnavailableError} when there is no answer in time. */
  readWindow({ organizationId, mode }: WindowOwner, window: WindowName): Promise<RunningWindow | null> {
    return this.#limiter.readWindow({ account: organizationId, mode, ...window });
  }

  /** Ends a window. Returns false if none was running. @throws {EngineUnavailableError} when there is no answer in time. */
  endWindow({ organizationId, mode }: WindowOwner, window: WindowName): Promise<boolean> {
    return this.#limiter.endWindow({ account: organizationId, mode, ...window });
  }

  /** @param memory the limiter's memory that asked; the status is valid for this memory only */
  async #fillStatus({ account, keyId }: LimiterKey, memory: string): Promise<void> {
    await this.#once(`status ${keyId} ${memory}`, async () => {
      const known = await this.#readStatus({ account, keyId });
      await this.#limiter.putKeyStatus({ account, keyId, ...known, memory });
    });
  }

  async #fillMonth(key: LimiterKey, month: string): Promise<void> {
    await this.#once(`month ${key.keyId}`, async () => {
      const { account, keyId } = key;
      const used = await this.#sources.readMonthUse(key, month);
      await this.#limiter.fillMonth({ account, keyId, month, used });
    });
  }

  async #readStatus(key: LimiterKey) {
    const known = await this.#sources.readStatus(key);
    if (known === null) throw unknownCredential();
    return known;
  }

  /**
   * Fills once for all callers. A fill continues after its waiters gave up, so that the next check finds its result.
   */
  async #once(what: string, fill: () => Promise<void>): Promise<void> {
    await this.#reads.wait(async () => {
      const running = this.#filling.get(what);
      if (running !== undefined) return await running;
      const filling = fill().finally(() => this.#filling.delete(what));
      this.#filling.set(what, filling);
      await filling;
    });
  }
}

/** The name of an answer of the limiter's memory in the metrics; null: there was none. */
function nameOf(result: Exclude<Answered, EachAnswered> | EachResult | Undecided | null): string {
  if (result === null) return 'unavailable';
  if (result.kind !== 'answered') return result.kind;
  return result.allowed ? 'allowed' : 'denied';
}

function refusalOf(status: Exclude<KeyStatus, 'active'>): ServiceError {
  return status === 'revoked'
    ? unknownCredential()
    : serviceError('payment_required', {
        at: 'organization.subscription',
        seen: 'no active subscription',
        expected: 'an active one for a live key',
      });
}
