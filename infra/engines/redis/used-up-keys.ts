import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type { CheckEntry, CheckingKey, ChecksResult } from '../../../topics/ports/limiter.ts';

/** Keys whose used-up quota is cached. Further ones ask the server with every call. */
export const USED_UP_KEYS_MAX = 10_000;

/**
 * The interval at which the refused calls of a key are added to its counts. The answer also says if the key has been revoked
 * meanwhile, so a cached refusal is at most this old.
 */
export const REFUSED_COUNTED_MS = 1_000;

/** The time that refused calls wait for the next call of their key, if its status was missing. Older ones are in no minute that counts. */
const UNCOUNTED_KEPT_MS = MINUTE_MS;

type Refused = Extract<ChecksResult, { kind: 'quota-exceeded' }>;

/** A key, whatever it calls for. */
export type QuotaKey = Omit<CheckingKey, 'idempotency'>;

interface UsedUp {
  readonly key: QuotaKey;
  readonly refusal: Refused;
  /** When the server has to decide again, by the monotonic clock: at the end of the quota's time at the latest. */
  until: number;
  /** Refused calls that the server has not counted. */
  uncounted: number;
}

/**
 * Keys whose minute or month is used up, so that a caller far beyond its quota costs no round trips, and takes no place that
 * a neighbour needs. A call with an Idempotency-Key is never refused here: it may repeat an earlier one.
 */
export class UsedUpKeys {
  readonly #count: (stateKey: string, key: QuotaKey) => void;
  readonly #keys = new Map<string, UsedUp>();
  #timer: NodeJS.Timeout | null = null;

  /** @param count sends the refused calls of a key to the server, which {@link takeUncounted} returns */
  constructor(count: (stateKey: string, key: QuotaKey) => void) {
    this.#count = count;
  }

  /** True if calls of a key may be refused here. */
  has(stateKey: string): boolean {
    return this.#keys.has(stateKey);
  }

  /** Returns the refusal of a call, or null if the server has to decide. */
  refuse(stateKey: string, key: CheckingKey, entries: readonly CheckEntry[]): Refused | null {
    const held = this.#keys.get(stateKey);
    if (held === undefined || key.idempotency !== null || !hasQuotaOf(key, held.key)) return null;
    const left = held.until - performance.now();
    if (left <= 0) return null;
    const costing = entries.filter(({ cost }) => cost > 0).length;
    // A peek is not stopped by the month, and not counted as refused.
    if (costing === 0 && held.refusal.scope === 'month') return null;
    held.uncounted += costing;
    if (held.uncounted > 0) this.#timer ??= setTimeout(() => this.countAll(), REFUSED_COUNTED_MS).unref();
    const retryAfterMs = Math.ceil(left);
    const { refusal } = held;
    return { ...refusal, retryAfterMs, now: refusal.now + refusal.retryAfterMs - retryAfterMs };
  }

  /**
   * Caches the results of calls that were sent at `sentAt`, by the monotonic clock: the server answered later, so the cached end
   * never lies behind the real one.
   */
  learn(stateKey: string, key: QuotaKey, sentAt: number, results: readonly ChecksResult[]): void {
    const refusal = results.findLast((result) => result.kind === 'quota-exceeded');
    if (refusal?.quotas[refusal.scope]?.remaining !== 0) return;
    const held = this.#keys.get(stateKey);
    if (held === undefined && this.#keys.size >= USED_UP_KEYS_MAX) this.#dropEnded();
    if (held === undefined && this.#keys.size >= USED_UP_KEYS_MAX) return;
    const until = sentAt + refusal.retryAfterMs;
    this.#keys.set(stateKey, { key, refusal, until, uncounted: held?.uncounted ?? 0 });
  }

  /** Lets the server decide the next call of a key, which then counts the refused ones: it asked for a status or a month. */
  decideAgain(stateKey: string, uncounted: number): void {
    const held = this.#keys.get(stateKey);
    if (held === undefined) return;
    held.until = performance.now();
    held.uncounted += uncounted;
  }

  /** Returns the refused calls that a run of the script has to count, and counts them no longer here. */
  takeUncounted(stateKey: string): number {
    const held = this.#keys.get(stateKey);
    if (held === undefined) return 0;
    const { uncounted } = held;
    held.uncounted = 0;
    return uncounted;
  }

  /** Sends all refused calls that are not counted yet. */
  countAll(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [stateKey, { key, uncounted }] of this.#keys) if (uncounted > 0) this.#count(stateKey, key);
    this.#dropEnded();
  }

  #dropEnded(): void {
    const now = performance.now();
    for (const [stateKey, { until, uncounted }] of this.#keys) {
      const kept = uncounted > 0 ? UNCOUNTED_KEPT_MS : 0;
      if (until + kept <= now) this.#keys.delete(stateKey);
    }
  }
}

function hasQuotaOf({ quota }: QuotaKey, { quota: held }: QuotaKey): boolean {
  return quota.minute === held.minute && quota.month === held.month;
}
