import { Denials, type Instant, instant } from './denials.ts';
import { SvcError } from './error.ts';
import {
  addressOf,
  type Fetch,
  globalFetch,
  headersOf,
  sendOnce,
  successOf,
  withRetries,
} from './transport.ts';

/** The result of a check where the service gives none: let the request through, refuse it, or throw the error. */
export type OnNoAnswer = 'allow' | 'deny' | 'throw';

/** Options of {@link limiter}. */
export interface LimiterOptions {
  /** An API key of the limiter, `svc_limiter_…`. */
  readonly key: string;
  /** The address of the limiter, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /**
   * The result without an answer of the service: none before the deadline, a broken connection, a failure (5xx), a rejected key (401),
   * no subscription (402). If a quota of the key is used up (429), `allow` denies as well, because a flood would lift the limit
   * otherwise. Any other refusal of the service throws in any case: the check or the address is wrong, and every request would pass
   * unlimited.
   */
  readonly onNoAnswer: OnNoAnswer;
  /** The longest that a check takes, in milliseconds, its retry included; 500 by default. */
  readonly deadlineMs?: number;
  /**
   * The number of denied windows that are remembered until they end, 10,000 by default; 0 remembers none. A remembered window is
   * denied without a request.
   */
  readonly rememberedDenials?: number;
  /** Called with every decision, for metrics. An error that it throws is ignored. */
  readonly onDecision?: (decision: Decision, durationMs: number) => void;
  /** A replacement for the global `fetch`. */
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
  /** Units left in the window; null without an answer. */
  readonly remaining: number | null;
  /** End of the window in Unix milliseconds, on the clock of the service; null without an answer. */
  readonly resetAt: number | null;
  /** Of a denial: milliseconds after which a repeat can be allowed; null if no waiting helps or it is not known. */
  readonly retryAfterMs: number | null;
  /** The reason why there is no answer, else null. */
  readonly error: SvcError | null;
}

export interface Limiter {
  /**
   * Counts one request and decides about it. Checks may run at the same time.
   *
   * @throws {SvcError} if the check or the address is wrong, and without an answer if `onNoAnswer` is `throw`
   */
  check(check: Check): Promise<Decision>;
}

const DEADLINE_MS = 500;
const REMEMBERED_MAX = 10_000;
/** One repeat: it covers a connection that the service closed at that moment. */
const ATTEMPTS_MAX = 2;
const BACKOFF = { firstMs: 20, maxMs: 20 };
/** Of a longer `Retry-After`, such as the rest of a month, because the quota of a key can be raised. */
const PAUSE_MS_MAX = 60_000;
const USED_UP = 429;
/** Refusals that say nothing against the check: a rejected key, no subscription, a used-up quota. */
const OF_THE_KEY: readonly number[] = [401, 402, USED_UP];

/**
 * Makes a limiter. Make it once and use it for all requests: it keeps the denials and shares connections.
 *
 * @throws {TypeError} if an option is missing or wrong
 */
export function limiter(options: LimiterOptions): Limiter {
  const { onNoAnswer, onDecision } = options;
  if (!['allow', 'deny', 'throw'].includes(onNoAnswer)) {
    throw new TypeError("onNoAnswer has to be 'allow', 'deny' or 'throw'.");
  }
  const denials = new Denials(options.rememberedDenials ?? REMEMBERED_MAX);
  const ask = asking(options);

  async function decide(check: Check): Promise<Decision> {
    const { namespace, identifier, limit, window, cost = 1 } = check;
    const echo = { namespace, identifier, limit };
    const name = `${window} ${namespace.length} ${namespace}${identifier}`;
    const known = cost > 0 ? denials.find(name, limit, cost) : null;
    if (known !== null) {
      const { used, resetAt, leftMs } = known;
      const remaining = Math.max(0, limit - used);
      const retryAfterMs = cost > limit ? null : Math.ceil(leftMs);
      return { ...echo, allowed: false, source: 'memory', remaining, resetAt, retryAfterMs, error: null };
    }
    try {
      const { sentAt, ...verdict } = await ask(check);
      const { allowed, remaining, resetAt, retryAfterMs } = verdict;
      if (!allowed && retryAfterMs !== null) {
        denials.add(name, { used: limit - remaining, resetAt }, sentAt, retryAfterMs);
      }
      return { ...echo, ...verdict, source: 'service', error: null };
    } catch (error) {
      return { ...echo, ...without(error, onNoAnswer) };
    }
  }

  async function check(asked: Check): Promise<Decision> {
    if (onDecision === undefined) return await decide(asked);
    const begunAt = performance.now();
    const decision = await decide(asked);
    try {
      onDecision(decision, performance.now() - begunAt);
    } catch {
      // A fault of the metrics changes no decision.
    }
    return decision;
  }

  return { check };
}

/** Returns the decision without an answer. @throws {SvcError} if there is to be none */
function without(error: unknown, onNoAnswer: OnNoAnswer) {
  if (!(error instanceof SvcError) || isWrong(error) || onNoAnswer === 'throw') throw error;
  const { retryAfterMs, status } = error;
  const allowed = onNoAnswer === 'allow' && status !== USED_UP;
  return { allowed, source: 'no_answer', remaining: null, resetAt: null, retryAfterMs, error } as const;
}

/** True if the service itself refused the check, or a redirect shows that the address is not its own. */
function isWrong({ code, status }: SvcError): boolean {
  if (status === null || status < 300 || status >= 500 || OF_THE_KEY.includes(status)) return false;
  return status < 400 || code !== 'unexpected_answer';
}

interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAt: number;
  readonly retryAfterMs: number | null;
  readonly sentAt: Instant;
}

/** Returns a function that asks the service, within the deadline and not before the end of a pause that the service asked for. */
function asking({ key, baseUrl, deadlineMs = DEADLINE_MS, fetch = globalFetch }: LimiterOptions) {
  const url = `${addressOf(baseUrl)}/v1/check`;
  const headers = headersOf(key);
  // The key is like a window: once a quota is used up, it is denied until the pause has passed.
  const pauses = new Denials(1);
  let usedUp: SvcError | null = null;
  return async (check: Check): Promise<Verdict> => {
    const pause = pauses.find('', 1, 1);
    if (pause !== null && usedUp !== null) {
      const retryAfterMs = Math.ceil(pause.leftMs);
      throw new SvcError(usedUp.code, usedUp.message, { ...usedUp, retryAfterMs });
    }
    const request = {
      method: 'POST',
      url,
      // A repeat with it counts once, if the first answer was lost on its way.
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(check),
    } as const;
    try {
      return await withRetries(
        { deadlineMs, attemptsMax: ATTEMPTS_MAX, ...BACKOFF, isRetried },
        async (leftMs) => {
          const sentAt = instant();
          return verdictOf(successOf(await sendOnce(fetch, request, leftMs)), sentAt);
        },
      );
    } catch (error) {
      // The other refusal of this status, `limit_reached`, is about new windows only.
      if (error instanceof SvcError && error.status === USED_UP && error.code !== 'limit_reached') {
        usedUp = error;
        const pauseMs = Math.min(PAUSE_MS_MAX, error.retryAfterMs ?? 0);
        pauses.add('', { used: 1, resetAt: 0 }, instant(), pauseMs);
      }
      throw error;
    }
  };
}

/** A broken connection, and a failure that names a pause. Everything else is answered faster without a repeat. */
function isRetried({ code, status, retryable, retryAfterMs }: SvcError): boolean {
  return code === 'no_answer' || (retryable && retryAfterMs !== null && status !== USED_UP);
}

function verdictOf(answer: unknown, sentAt: Instant): Verdict {
  const {
    allowed,
    remaining,
    reset_at: resetAt,
    retry_after_ms: retryAfterMs = null,
  } = Object(Object(answer).data);
  if (typeof allowed !== 'boolean' || typeof remaining !== 'number' || typeof resetAt !== 'number') {
    throw new SvcError('unexpected_answer', 'The answer is none of a limiter.', { status: 200 });
  }
  return { allowed, remaining, resetAt, retryAfterMs, sentAt };
}
