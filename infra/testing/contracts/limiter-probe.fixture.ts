import { vi } from 'vitest';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import {
  type AccountWindow,
  type Check,
  type CheckEntry,
  type CheckingKey,
  type CheckResult,
  type Limiter,
  USAGE_INTERVAL_MS,
  type UsageCount,
} from '../../../topics/ports/limiter.ts';
import { type EngineFixture, unique, WAIT } from './engine.fixture.ts';

type Answered = Extract<CheckResult, { kind: 'answered' }>;

export interface LimiterFixture extends EngineFixture {
  readonly limiter: Limiter;
}

export type Opened = () => LimiterFixture;

/** More keys than any test leaves behind. */
export const KEYS_MAX = 10_000;

/** Makes the key of a check active. */
export async function activate({ limiter }: LimiterFixture, check: Check): Promise<Check> {
  const { account, keyId } = check;
  await limiter.putKeyStatus({ account, keyId, status: 'active', version: 1 });
  return check;
}

export async function ask({ limiter }: LimiterFixture, check: Check): Promise<Answered> {
  return expectAnswered(await limiter.check(check));
}

export async function askTimes(engine: LimiterFixture, check: Check, times: number): Promise<Answered[]> {
  return await Promise.all(Array.from({ length: times }, () => ask(engine, check)));
}

/** Drains what is pending until something of this key is in it. */
export async function pendingOf(engine: LimiterFixture, { keyId }: Check): Promise<UsageCount[]> {
  return await vi.waitUntil(async () => {
    const counts = (await engine.limiter.pendingUsage(KEYS_MAX)).filter((count) => count.keyId === keyId);
    engine.clock?.advance(USAGE_INTERVAL_MS);
    return counts.length > 0 ? counts : null;
  }, WAIT);
}

/** Moves a clock that can be moved to where a minute begins: what takes some seconds by it is then within one. */
export function beginMinute({ clock }: LimiterFixture): void {
  clock?.advance(MINUTE_MS - (clock.now() % MINUTE_MS));
}

/** A check of a new key that no limit denies. */
export function checkWith(differing: Partial<Check> = {}): Check {
  return {
    account: unique('org'),
    keyId: unique('key'),
    mode: 'live',
    namespace: 'api',
    identifier: 'user',
    limit: 5,
    windowMs: 60_000,
    cost: 1,
    windowsMax: 1_000_000,
    quota: { minute: 1_000_000, month: null },
    idempotency: null,
    ...differing,
  };
}

/** @throws {Error} naming what was answered instead. */
export function expectAnswered(result: CheckResult): Answered {
  if (result.kind === 'answered') return result;
  throw new Error(`expecting an answer, seen ${JSON.stringify(result)}`);
}

/** The result of a call, as the model says. */
interface Expected {
  readonly kind: string;
  readonly scope?: string;
  readonly allowed?: boolean;
  readonly entries?: readonly { readonly allowed: boolean; readonly remaining: number }[];
}

/**
 * A plain model of an account's windows and of one key with a month (infra/docs/reference/rate-limits.md), while no window, no minute
 * and no Idempotency-Key ends.
 */
export class LimiterModel {
  readonly #windowsMax: number;
  readonly #month: number;
  readonly #windows = new Map<string, number>();
  readonly #remembered = new Map<string, { readonly input: string; readonly expected: Expected }>();
  #usedInMonth = 0;

  constructor({ windowsMax, quota }: Pick<CheckingKey, 'windowsMax' | 'quota'>) {
    this.#windowsMax = windowsMax;
    this.#month = quota.month ?? Number.POSITIVE_INFINITY;
  }

  usedOf(window: AccountWindow): number {
    return this.#windows.get(nameOf(window)) ?? 0;
  }

  end(window: AccountWindow): boolean {
    return this.#windows.delete(nameOf(window));
  }

  /** Returns what is said of a call with one entry that reaches its window. */
  takeOne(check: Check): NonNullable<Expected['entries']>[number] {
    const [entry] = this.take(check, [check]).entries ?? [];
    if (entry === undefined) throw new Error('expecting the model to reach the window');
    return entry;
  }

  take({ account, mode, idempotency }: CheckingKey, entries: readonly CheckEntry[]): Expected {
    const repeated = idempotency === null ? undefined : this.#remembered.get(idempotency.digest);
    if (repeated !== undefined) {
      return repeated.input === idempotency?.inputDigest
        ? repeated.expected
        : { kind: 'idempotency-conflict' };
    }
    const costing = entries.filter(({ cost }) => cost > 0);
    if (this.#usedInMonth + costing.length > this.#month && costing.length > 0) {
      return { kind: 'quota-exceeded', scope: 'month' };
    }
    const windowOf = (entry: CheckEntry) => ({ ...entry, account, mode });
    const fit = entries.map((entry) => {
      const used = this.usedOf(windowOf(entry));
      return entry.cost === 0 ? used < entry.limit : used + entry.cost <= entry.limit;
    });
    const allowed = fit.every((each) => each);
    const begun = costing.filter((entry) => !this.#windows.has(nameOf(windowOf(entry))));
    if (allowed && begun.length > 0 && this.#windows.size + begun.length > this.#windowsMax) {
      return { kind: 'windows-exhausted' };
    }
    this.#usedInMonth += costing.length;
    for (const entry of allowed ? costing : []) {
      this.#windows.set(nameOf(windowOf(entry)), this.usedOf(windowOf(entry)) + entry.cost);
    }
    const answers = entries.map((entry, index) => ({
      allowed: fit[index] === true,
      remaining: Math.max(0, entry.limit - this.usedOf(windowOf(entry))),
    }));
    const expected = { kind: 'answered', allowed, entries: answers };
    if (idempotency !== null && costing.length > 0) {
      this.#remembered.set(idempotency.digest, { input: idempotency.inputDigest, expected });
    }
    return expected;
  }
}

function nameOf({ account, mode, windowMs, namespace, identifier }: AccountWindow): string {
  return JSON.stringify([account, mode, windowMs, namespace, identifier]);
}
