import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';

interface Counted {
  live: number;
  /** The number of windows by the time at which they stop counting, in Unix milliseconds. */
  readonly ends: Map<number, number>;
  /** The first of these times, or infinity. */
  next: number;
}

/**
 * The number of live windows of each account. Ends are rounded up: to a minute for windows under an hour, to an hour
 * for those under a day, and else to a day. So an account has about a hundred different ends at most.
 */
export class WindowCounts {
  readonly #accounts = new Map<string, Counted>();

  /**
   * Returns the account's live windows at `now`, and the time at which the first of them stops counting: infinity if
   * there are none.
   */
  of(account: string, now: number): { readonly live: number; readonly next: number } {
    const counted = this.#accounts.get(account);
    if (counted === undefined) return { live: 0, next: Number.POSITIVE_INFINITY };
    if (counted.next <= now) dropEnded(counted, now);
    return counted;
  }

  /** Counts a new window. */
  add(account: string, resetAt: number, windowMs: number): void {
    const counted = this.#accounts.get(account) ?? {
      live: 0,
      ends: new Map(),
      next: Number.POSITIVE_INFINITY,
    };
    const end = endOf(resetAt, windowMs);
    counted.live += 1;
    counted.ends.set(end, (counted.ends.get(end) ?? 0) + 1);
    counted.next = Math.min(counted.next, end);
    this.#accounts.set(account, counted);
  }

  /** Counts a running window no longer. */
  remove(account: string, resetAt: number, windowMs: number): void {
    const counted = this.#accounts.get(account);
    const end = endOf(resetAt, windowMs);
    const count = counted?.ends.get(end);
    if (counted === undefined || count === undefined) return;
    counted.live -= 1;
    if (count === 1) counted.ends.delete(end);
    else counted.ends.set(end, count - 1);
  }

  /** Drops accounts without windows. */
  sweep(now: number): void {
    for (const account of this.#accounts.keys()) {
      if (this.of(account, now).live === 0) this.#accounts.delete(account);
    }
  }
}

/** The end up to which a window counts. */
function endOf(resetAt: number, windowMs: number): number {
  const unit = windowMs < HOUR_MS ? MINUTE_MS : windowMs < DAY_MS ? HOUR_MS : DAY_MS;
  return Math.ceil(resetAt / unit) * unit;
}

function dropEnded(counted: Counted, now: number): void {
  counted.next = Number.POSITIVE_INFINITY;
  for (const [end, count] of counted.ends) {
    if (end <= now) {
      counted.ends.delete(end);
      counted.live -= count;
    } else {
      counted.next = Math.min(counted.next, end);
    }
  }
}
