/** A remembered denial. */
export interface Denial {
  /** Units that the window had at least in use. They only grow until the window ends. */
  readonly used: number;
  /** Unix milliseconds on the clock of the service. */
  readonly resetAt: number;
  readonly endsAt: Instant;
}

/** A moment on two clocks of this process. */
export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The moment at which this is called. */
export function instant(): Instant {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/**
 * Denied windows until they end. A denial ends with what passes first on either clock: the wall clock may be set, and the monotonic one
 * may stand still while a machine or a function sleeps. So a denial never outlives its window.
 */
export class Denials {
  readonly #denials = new Map<string, Denial>();
  readonly #max: number;

  /** @param max the number of denials; beyond it the oldest one is evicted, whose next check the service answers again */
  constructor(max: number) {
    this.#max = max;
  }

  /** Remembers a denial. Its window ends `retryAfterMs` after the answer was made, which was after the request was sent. */
  add(
    name: string,
    { used, resetAt }: Pick<Denial, 'used' | 'resetAt'>,
    sentAt: Instant,
    retryAfterMs: number,
  ): void {
    if (this.#max === 0) return;
    this.#denials.delete(name);
    if (this.#denials.size >= this.#max) {
      for (const oldest of this.#denials.keys()) {
        this.#denials.delete(oldest);
        break;
      }
    }
    const endsAt = { monotonicMs: sentAt.monotonicMs + retryAfterMs, wallMs: sentAt.wallMs + retryAfterMs };
    this.#denials.set(name, { used, resetAt, endsAt });
  }

  /** Returns the denial that a check of this cost meets, with the milliseconds until its end; null if the service has to decide. */
  find(name: string, limit: number, cost: number): (Denial & { readonly leftMs: number }) | null {
    const denial = this.#denials.get(name);
    if (denial === undefined) return null;
    const { monotonicMs, wallMs } = denial.endsAt;
    const leftMs = Math.min(monotonicMs - performance.now(), wallMs - Date.now());
    if (leftMs <= 0) {
      this.#denials.delete(name);
      return null;
    }
    return cost > limit - denial.used ? { ...denial, leftMs } : null;
  }
}
