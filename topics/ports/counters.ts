export interface TakeResult {
  readonly allowed: boolean;
  /** Calls that are left in the window after this one; never negative. */
  readonly remaining: number;
  /** Unix milliseconds at which the window ends. */
  readonly resetAt: number;
}

/**
 * Fixed windows that start with their first request. Exact for any number of callers: within one window exactly
 * `limit` calls are allowed, and a denied call changes nothing.
 */
export interface Counters {
  /** Counts one. `windowMs` is a whole number of milliseconds. Rejects with `EngineUnavailableError`. */
  take(key: string, limit: number, windowMs: number): Promise<TakeResult>;
  /**
   * Takes back one call that {@link take} has counted in the window of this length that ends at `resetAt`. It changes
   * nothing if that window is over. Rejects with `EngineUnavailableError`.
   */
  giveBack(key: string, windowMs: number, resetAt: number): Promise<void>;
}
