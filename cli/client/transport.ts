// Sends requests with `fetch`, and reads what the service answers.
import { SvcError, type SvcErrorCode } from './error.ts';
import { NUMBER_MAX } from './options.ts';
import { CLIENT_VERSION } from './version.ts';

/** Answers that are larger are none of the service: a batch of an import has at most 2.5 MiB. */
export const ANSWER_BYTES_MAX: number = 4 * 1_024 * 1_024;

/** The header `User-Agent` of each request. */
const USER_AGENT = `svc-client/${CLIENT_VERSION}`;

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** The headers of an answer, by their names in small letters. */
export type AnswerHeaders = Pick<Headers, 'get'>;

/** An answer with its whole body, whatever its status. */
export interface Answered {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a request once and reads its answer to the end.
 *
 * @param signal ends the request early
 * @throws {SvcError} `no_answer`, `timeout`, or `unexpected_answer` for one that is too large
 */
export async function sendOnce(
  fetch: Fetch,
  { method, url, headers, body }: Outgoing,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Answered> {
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    // A redirect would carry the credential to another address. Not every runtime knows `error`.
    // A body that is read piece by piece needs `duplex`, and the types of Node do not know it.
    const init = { method, headers, body, redirect: 'manual', signal: controller.signal, duplex: 'half' };
    const response = await fetch(url, init as RequestInit);
    return { status: response.status, headers: response.headers, text: await readBounded(response) };
  } catch (error) {
    if (error instanceof SvcError) throw error;
    if (isLate) throw timedOut(timeoutMs);
    throw new SvcError('no_answer', `The connection failed or broke${reasonOf(error)}.`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function readBounded(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  // The length of a compressed answer says nothing about its text.
  const isPlain = !response.headers.has('content-encoding');
  if (isPlain && length <= ANSWER_BYTES_MAX) return await response.text();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES_MAX) {
      throw tooLarge();
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The error of a request without an answer in its time. */
export function timedOut(timeoutMs: number): SvcError {
  return new SvcError('timeout', `There was no answer within ${Math.round(timeoutMs) / 1_000} s.`);
}

/** The error of an answer with more than {@link ANSWER_BYTES_MAX}. */
export function tooLarge(): SvcError {
  return new SvcError(
    'unexpected_answer',
    'The answer is too large for this service. A proxy may have answered.',
  );
}

/** The code of a failed connection. Its message may repeat what was sent, so it is left out. */
export function reasonOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string' && /^[A-Za-z_]+$/.test(each.code))
      return `: ${each.code}`;
  }
  return '';
}

/** Returns the value of an answer with a success. @throws {SvcError} for every other one */
export function successOf({ status, headers, text }: Answered): unknown {
  if (status < 300) {
    const value = parsed(text);
    if (value !== undefined) return value;
  }
  throw refusalOf(status, headers, text);
}

function refusalOf(status: number, headers: AnswerHeaders, text: string): SvcError {
  const { error } = Object(parsed(text)) as {
    error?: { code?: unknown; message?: unknown; request_id?: unknown };
  };
  const facts = { status, requestId: headers.get('x-request-id'), retryAfterMs: retryAfterOf(headers) };
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    const message = `The server answered ${status}, but not in the format of the service. A proxy may have answered.`;
    return new SvcError('unexpected_answer', message, facts);
  }
  return new SvcError(error.code as SvcErrorCode, error.message, facts);
}

/**
 * Reads `Retry-After`, which is seconds or a date (RFC 9110, 10.2.3), in milliseconds that a timer takes; null without a wait. A date
 * is compared with the one of the answer, because the clock here may be wrong.
 */
export function retryAfterOf(headers: AnswerHeaders): number | null {
  const header = headers.get('retry-after') ?? '';
  let ms = Number.NaN;
  if (/^\d+$/.test(header)) ms = Number(header) * 1_000;
  // A date begins with the day of the week.
  else if (/^[A-Z]/.test(header))
    ms = Date.parse(header) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(ms) ? null : Math.min(NUMBER_MAX, Math.max(0, ms));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Retries {
  /** Of all attempts together, with their pauses. */
  readonly deadlineMs: number;
  readonly attemptsMax: number;
  /** The pause before the second attempt; each further one is twice as long, up to `maxMs`. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** True if another attempt can help. */
  readonly isRetried: (error: SvcError) => boolean;
  /** Ends attempts and pauses early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats a step until it succeeds, its error is not retried, or the deadline would pass.
 *
 * @param step gets the milliseconds that are left
 * @throws {SvcError} the last one
 */
export async function withRetries<Result>(
  { deadlineMs, attemptsMax, firstMs, maxMs, isRetried, signal }: Retries,
  step: (leftMs: number) => Promise<Result>,
): Promise<Result> {
  const begunAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = deadlineMs - (performance.now() - begunAt);
    try {
      return await step(Math.max(1, leftMs));
    } catch (error) {
      if (!(error instanceof SvcError) || attempt === attemptsMax || !isRetried(error)) throw error;
      // Drawn from half of the length to the whole, so that many clients do not return at once.
      const drawnMs = Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      const pauseMs = Math.max(drawnMs, error.retryAfterMs ?? 0);
      const isLate = performance.now() - begunAt + pauseMs >= deadlineMs;
      if (isLate || signal?.aborted) throw error;
      await pause(pauseMs, signal);
    }
  }
}

/** Resolves after a time, or when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}

/** A credential of RFC 6750. Quotes are no part of one: some tools keep those of a file of variables. */
const CREDENTIAL = /^[\w.~+/-]+=*$/;

/**
 * The headers of requests with a credential and a JSON body.
 *
 * @throws {TypeError} without the credential in its message, if it has characters that none has
 */
export function headersOf(credential: string): Readonly<Record<string, string>> {
  if (typeof credential !== 'string' || !CREDENTIAL.test(credential)) {
    throw new TypeError(
      'The credential is missing, or has quotes, spaces or other characters that none has.',
    );
  }
  return {
    authorization: `Bearer ${credential}`,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
  };
}

/** Returns an address of the service without a trailing slash. @throws {TypeError} if it is none */
export function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  // Without a path, a query, a fragment and credentials.
  if (url === null || url.href !== `${url.origin}/` || !/^https?:/.test(url.href)) {
    throw new TypeError('baseUrl does not have the form https://api.example.com.');
  }
  return url.origin;
}

/** The global `fetch` as it is at each call, so that instruments can replace it. */
export const globalFetch: Fetch = (url, init) => fetch(url, init);
