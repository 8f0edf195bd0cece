/** One limit of a call of the limiter. */
export interface LimitedEntry {
  /** The name of the window, which has the same limit in all calls of a story. */
  readonly window: string;
  readonly limit: number;
  /** 0 peeks. */
  readonly cost: number;
}

/** The answer about one limit. */
export interface LimitedAnswer {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Names the run of the window: another run of it ends at another time. */
  readonly resetAt: number;
}

/**
 * The answer to one sending of a call. `unknown`: there was none, or one that leaves the outcome open. `refused`: nothing was
 * counted. `reset`: whether a window was running.
 */
export type CallTold =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly said: string }
  | { readonly kind: 'decided'; readonly allowed: boolean; readonly entries: readonly LimitedAnswer[] }
  | { readonly kind: 'reset'; readonly ended: boolean };

/** One sending of a call, with its times by the clock of the history. */
export interface CallSending {
  readonly sentAt: number;
  readonly endedAt: number;
  readonly told: CallTold;
}

/** A check of one limit or several, or the reset of a window, whose only entry names it. */
export interface LimiterCall {
  /** Calls of one story share its windows, and no other call uses them. */
  readonly story: string;
  readonly kind: 'check' | 'reset';
  readonly entries: readonly LimitedEntry[];
  /** True if all sendings have one `Idempotency-Key`. */
  readonly isKeyed: boolean;
  readonly sendings: CallSending[];
}

/** A time in which the limiter may lose what the documentation says that it may lose. */
export interface Forgetting {
  readonly from: number;
  readonly to: number;
  /** `keys`: Idempotency-Keys alone. `all`: all windows as well, at one moment, or nothing. */
  readonly what: 'keys' | 'all';
}
