// Calls the service with one credential.
import type { SvcError } from './error.ts';
import { deadlineOf } from './options.ts';
import { senderOf } from './sender.ts';
import { addressOf, type Fetch, headersOf, successOf, withRetries } from './transport.ts';

/** The part of the options that all requests with a credential share. */
export interface CallOptions {
  /** The longest time that a call takes, in milliseconds, its repeats included. `Infinity` is 2^31-1, about 25 days. */
  readonly deadlineMs?: number;
  /** A replacement for the global `fetch`. */
  readonly fetch?: Fetch;
}

/** One call of {@link caller}. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** For a request whose body has none. */
  readonly idempotencyKey?: string;
  readonly deadlineMs?: number;
  /** The time that the service may wait before it answers. */
  readonly waitMs?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

const CALL_DEADLINE_MS = 30_000;
/** The service ends its waits earlier, and then answers 503. */
const ATTEMPT_MS = 15_000;
const CALL_RETRIES = { attemptsMax: 10, firstMs: 200, maxMs: 5_000 };

/**
 * Returns a function that calls the service with one credential. It repeats what may be repeated until the deadline, with the same
 * idempotency key, and resolves with the JSON of the answer.
 *
 * @throws {TypeError} if the address, the credential or the deadline has another form
 */
export function caller(
  { baseUrl, credential }: { readonly baseUrl: string; readonly credential: string },
  { deadlineMs: longestMs = CALL_DEADLINE_MS, fetch }: CallOptions,
) {
  const usualMs = deadlineOf(longestMs);
  const base = addressOf(baseUrl);
  const shared = headersOf(credential);
  const send = senderOf(fetch);
  return async (asked: Call): Promise<unknown> => {
    const { method, path, body, idempotencyKey, waitMs = 0, deadlineMs = usualMs + waitMs, signal } = asked;
    const headers = idempotencyKey === undefined ? shared : { ...shared, 'idempotency-key': idempotencyKey };
    const request = {
      method,
      url: base + path,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    };
    return await withRetries({ deadlineMs, ...CALL_RETRIES, isRetried: isRepeated, signal }, async (leftMs) =>
      successOf(await send(request, Math.min(leftMs, ATTEMPT_MS + waitMs), signal)),
    );
  };
}

/** A pause of the workspace has no end that the service knows, so a repeat within a deadline does not help. */
function isRepeated({ code, retryable }: SvcError): boolean {
  return retryable && code !== 'workspace_paused';
}

export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

export function checklistPath(
  installationId: string,
  checklistId: string,
  part: 'events' | 'sessions',
): string {
  return pathOf('v1', 'installations', installationId, 'svcactivate', 'checklists', checklistId, part);
}
