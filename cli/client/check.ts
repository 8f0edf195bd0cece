// Checks as a caller states them, and the decisions about them.
import type { SvcError } from './error.ts';
import type { OnNoAnswer } from './no-answer.ts';
import type { Fetch } from './transport.ts';

/** Options of `limiter`. */
export interface LimiterOptions {
  /** An API key of the limiter: `svc_limiter_test_` or `svc_limiter_live_`, and 32 letters and digits. */
  readonly key: string;
  /** The address of the limiter, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /**
   * The result without an answer of the service: none before the deadline, a broken connection, a redirect, a failure (5xx), a
   * rejected key (401), no subscription (402). If a quota of the key is used up (429), `allow` denies as well, because a flood would
   * lift the limit otherwise. Any other refusal (4xx) throws in any case: the check or the address is wrong, and every request would
   * pass unlimited.
   */
  readonly onNoAnswer: OnNoAnswer;
  /** The longest that a check takes, in milliseconds, its retry included; 500 by default. `Infinity` is 2^31-1, about 25 days. */
  readonly deadlineMs?: number;
  /**
   * The number of denied windows that are remembered, 10,000 by default; 0 remembers none. A remembered window is denied without a
   * request for ten seconds, or until it ends.
   */
  readonly rememberedDenials?: number;
  /**
   * Called with every decision, for metrics. An error that it throws is ignored. Without it, decisions without an answer are reported
   * by `process.emitWarning`, at most once a minute.
   */
  readonly onDecision?: (decision: Decision, durationMs: number) => void;
  /** A function like the global `fetch` that sends all requests. By default Node's HTTP client does in Node, `fetch` elsewhere. */
  readonly fetch?: Fetch;
}

/** A check. Its fields are those of `POST /v1/check`. */
export interface Check {
  /** A group of limits, 1 to 128 characters. */
  readonly namespace: string;
  /** The user, address or job that is limited, 1 to 256 characters. */
  readonly identifier: string;
  /** Units that a window holds, a whole number from 1. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly window: number;
  /** Units to consume, 1 by default; 0 peeks without consuming. */
  readonly cost?: number;
}

/** The decision about one request. */
export interface Decision {
  readonly allowed: boolean;
  /**
   * `service`: it answered. `memory`: the window is known to be denied. `no_answer`: as `onNoAnswer` says, or denied because a quota
   * of the key is used up.
   */
  readonly source: 'service' | 'memory' | 'no_answer';
  readonly namespace: string;
  readonly identifier: string;
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly window: number;
  /** Units left in the window; null without an answer. */
  readonly remaining: number | null;
  /** End of the window in Unix milliseconds, on the clock of the service; null without an answer. */
  readonly resetAt: number | null;
  /** Of a denial: milliseconds after which a repeat can be allowed; null if no waiting helps or it is not known. */
  readonly retryAfterMs: number | null;
  /** The reason why there is no answer, else null. */
  readonly error: SvcError | null;
}
