// Asks the limiter with one key: within the deadline, and not before the end of a pause that the service asked for.

import type { LimiterOptions } from './check.ts';
import { Denials, type Instant, instant } from './denials.ts';
import { SvcError } from './error.ts';
import { USED_UP } from './no-answer.ts';
import { deadlineOf } from './options.ts';
import { senderOf } from './sender.ts';
import { type Answered, addressOf, headersOf, successOf, withRetries } from './transport.ts';

const DEADLINE_MS = 500;
/** One repeat: it covers a connection that the service closed at that moment. */
const ATTEMPTS_MAX = 2;
const BACKOFF = { firstMs: 20, maxMs: 20 };
/** Of a longer `Retry-After`, such as the rest of a month, because the quota of a key can be raised. */
const PAUSE_MS_MAX = 60_000;
/** Every other text is no key now and later: with quotes, cut off, or another credential. */
const KEY = /^svc_limiter_(?:test|live)_[A-Za-z0-9]{32}$/;

/** A request about limits. */
export interface Question {
  readonly path: string;
  /** The body. It is made for each attempt. */
  readonly body: () => object;
  /** A repeat with it counts once, if the first answer was lost on its way. */
  readonly idempotencyKey?: string;
  /** Milliseconds until its deadline; those of the options by default. */
  readonly leftMs?: number;
}

/** Reads an answer. `sentAt` lies before the moment at which the service gave it. */
export type Read<Result> = (data: unknown, sentAt: Instant, answer: Answered) => Result;

export interface Asking {
  readonly deadlineMs: number;
  /** @throws {SvcError} without an answer, or in a pause */
  ask<Result>(question: Question, read: Read<Result>): Promise<Result>;
  /** Begins a pause if an error says that a quota of the key is used up. */
  note(error: unknown): void;
}

/** @throws {TypeError} if an option is missing or wrong */
export function asking({ key, baseUrl, deadlineMs: longestMs = DEADLINE_MS, fetch }: LimiterOptions): Asking {
  const deadlineMs = deadlineOf(longestMs);
  const base = addressOf(baseUrl);
  const headers = headersOf(key);
  if (!KEY.test(key)) {
    throw new TypeError(
      'The key does not have the form svc_limiter_test_… or svc_limiter_live_… with 32 letters and digits.',
    );
  }
  const send = senderOf(fetch);
  // The key is like a window: once a quota is used up, it is denied until the pause has passed.
  const pauses = new Denials(1, PAUSE_MS_MAX);
  let usedUp: SvcError | null = null;

  function note(error: unknown): void {
    // The other refusal of this status, `limit_reached`, is about new windows only.
    if (!(error instanceof SvcError) || error.status !== USED_UP || error.code === 'limit_reached') return;
    usedUp = error;
    const pauseMs = Math.min(PAUSE_MS_MAX, error.retryAfterMs ?? 0);
    pauses.add('', { used: 1, resetAt: 0 }, instant(), pauseMs);
  }

  async function ask<Result>(question: Question, read: Read<Result>): Promise<Result> {
    const pause = pauses.find('', 1, 1);
    if (pause !== null && usedUp !== null) {
      const retryAfterMs = Math.ceil(pause.leftMs);
      throw new SvcError(usedUp.code, usedUp.message, { ...usedUp, retryAfterMs });
    }
    const { path, body, idempotencyKey, leftMs: longest = deadlineMs } = question;
    const given = idempotencyKey === undefined ? headers : { ...headers, 'idempotency-key': idempotencyKey };
    const request = { method: 'POST', url: base + path, headers: given };
    const retries = { deadlineMs: longest, attemptsMax: ATTEMPTS_MAX, ...BACKOFF, isRetried };
    try {
      return await withRetries(retries, async (leftMs) => {
        const sentAt = instant();
        const answer = await send({ ...request, body: JSON.stringify(body()) }, leftMs);
        return read(Object(successOf(answer)).data, sentAt, answer);
      });
    } catch (error) {
      note(error);
      throw error;
    }
  }

  return { deadlineMs, ask, note };
}

/** A broken connection, and a failure that names a pause. Everything else is answered faster without a repeat. */
function isRetried({ code, status, retryable, retryAfterMs }: SvcError): boolean {
  return code === 'no_answer' || (retryable && retryAfterMs !== null && status !== USED_UP);
}

/** The error of an answer that none of a limiter is. */
export function foreign(): SvcError {
  return new SvcError('unexpected_answer', 'The answer does not come from a limiter.', { status: 200 });
}
