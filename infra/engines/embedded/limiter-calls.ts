import { randomUUID } from 'node:crypto';
import type { CheckEntry, CheckingKey, Undecided } from '../../../topics/ports/limiter.ts';
import type { LimiterKeyState, MinuteCount } from './limiter-key-state.ts';

type Exceeded = Extract<Undecided, { kind: 'quota-exceeded' }>;

/** One call at `now` (Unix milliseconds): its entries, and the state of the key that it counts in. */
export class Calls {
  readonly key: CheckingKey;
  readonly entries: readonly CheckEntry[];
  readonly state: LimiterKeyState;
  readonly now: number;
  /** The number of entries that are no peeks. */
  readonly costing: number;
  readonly #made: Pick<MinuteCount, 'mode' | 'incarnation'>;

  constructor(key: CheckingKey, entries: readonly CheckEntry[], state: LimiterKeyState, now: number) {
    this.key = key;
    this.entries = entries;
    this.state = state;
    this.now = now;
    this.costing = entries.filter(({ cost }) => cost > 0).length;
    this.#made = { mode: key.mode, incarnation: randomUUID() };
  }

  /** Refuses a call for which the key's quotas have no room; the month is checked first. */
  refuseByQuota(): Exceeded | null {
    const { now } = this;
    const quotas = this.state.quotasLeft(this.key.quota, now);
    const refuse = (scope: 'minute' | 'month', end: number): Exceeded => {
      this.count('refused');
      return { kind: 'quota-exceeded', scope, retryAfterMs: end - now, quotas, now };
    };
    // A peek is not stopped by the month.
    if (quotas.month !== null && this.costing > quotas.month.remaining) {
      return refuse('month', quotas.month.resetAt);
    }
    return this.entries.length > quotas.minute.remaining ? refuse('minute', quotas.minute.resetAt) : null;
  }

  /** Counts the entries that cost something. */
  count(what: 'allowed' | 'denied' | 'refused'): void {
    if (this.costing > 0) this.state.count(what, this.costing, this.now, this.#made);
  }

  countPeeks(): void {
    const peeks = this.entries.length - this.costing;
    if (peeks > 0) this.state.count('peeks', peeks, this.now, this.#made);
  }
}
