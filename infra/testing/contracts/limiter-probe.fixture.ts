import { vi } from 'vitest';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import {
  type Check,
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

/** A plain model of one window (infra/docs/reference/rate-limits.md). */
export class WindowModel {
  readonly #windows = new Map<string, number>();

  /** Returns the answer's `allowed` and `remaining`, while the window lasts. */
  take({ namespace, identifier, windowMs, mode, limit, cost }: Check): {
    allowed: boolean;
    remaining: number;
  } {
    const name = JSON.stringify([mode, windowMs, namespace, identifier]);
    const used = this.#windows.get(name) ?? 0;
    const allowed = cost === 0 ? used < limit : used + cost <= limit;
    const after = allowed ? used + cost : used;
    this.#windows.set(name, after);
    return { allowed, remaining: Math.max(0, limit - after) };
  }
}
