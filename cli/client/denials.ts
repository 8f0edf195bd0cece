/** A remembered denial. */
export interface Denial {
  /** Units that the window had at least in use. They only grow until the window ends. */
  readonly used: number;
  /** Unix milliseconds on the clock of the service. */
  readonly resetAt: number;
  readonly sentAt: Instant;
  /** Milliseconds from the request until the window ends. */
  readonly lastsMs: number;
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
 * Denied windows, for a time or until they end. A denial ends with what passes first on either clock: the wall clock may be set, and the monotonic one
 * may stand still while a machine or a function sleeps. So a denial never outlives its window.
 */
export class Denials {
  readonly #denials = new Map<string, Denial>();
  readonly #max: number;
  readonly #keptMs: number;

  /**
   * @param max the number of denials; beyond it the oldest one is evicted, whose next check the service answers again
   * @param keptMs milliseconds after which the service answers again in any case
   */
  constructor(max: number, keptMs: number) {
    this.#max = max;
    this.#keptMs = keptMs;
  }

  /** Remembers a denial. Its window ends `lastsMs` after the answer was made, which was after the request was sent. */
  add(
    name: string,
    { used, resetAt }: Pick<Denial, 'used' | 'resetAt'>,
    sentAt: Instant,
    lastsMs: number,
  ): void {
    if (this.#max === 0) return;
    this.#denials.delete(name);
    if (this.#denials.size >= this.#max) {
      for (const oldest of this.#denials.keys()) {
        this.#denials.delete(oldest);
        break;
      }
    }
    this.#denials.set(name, { used, resetAt, sentAt, lastsMs });
  }

  /** Forgets a denial, whose window was reset. */
  delete(name: string): void {
    this.#denials.delete(name);
  }

  /** Returns the denial that a check of this cost meets, with the milliseconds until its end; null if the service has to decide. */
  find(name: string, limit: number, cost: number): (Denial & { readonly leftMs: number }) | null {
    const denial = this.#denials.get(name);
    if (denial === undefined) return null;
    const { sentAt, lastsMs } = denial;
    const passedMs = Math.max(performance.now() - sentAt.monotonicMs, Date.now() - sentAt.wallMs);
    const leftMs = lastsMs - passedMs;
    if (leftMs <= 0 || passedMs >= this.#keptMs) {
      this.#denials.delete(name);
      return null;
    }
    return cost > limit - denial.used ? { ...denial, leftMs } : null;
  }
}
