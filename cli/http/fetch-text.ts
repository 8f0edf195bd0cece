import { SvcError } from '../client/error.ts';
import {
  type Answered,
  globalFetch,
  type Outgoing,
  reasonOf,
  retryAfterOf,
  sendOnce,
} from '../client/transport.ts';
import { CommandFailure } from '../failure.ts';
import { isLoopback } from './base-url.ts';
import { proxyVariables } from './proxy.ts';

/** Redirects within the same host that are followed. */
const REDIRECTS_MAX = 3;
/** Further tries of a request that got no answer in time: callers often end a command after two minutes. */
const TRIES_AFTER_SILENCE = 1;
/** Statuses that repeat the request at another address, with the same method and body (RFC 9110, 15.4). */
const REPEATING = [307, 308];
/** The reasons of connections that were never made, in Node and Bun: no request has arrived. */
const NEVER_MADE = 'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ConnectionRefused'.split(' ');

/** The body of a request; a stream for one that reports its progress. */
export type RequestBody = Outgoing['body'];

interface FetchedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => RequestBody;
  readonly timeoutMs: number;
}

/** An answer with its whole body. */
export interface Received {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
  readonly date: Date | null;
}

/** There was no answer: the connection failed, broke, or took too long. */
export class TransportError extends Error {
  /** The number of further tries after which the same request may have reached the service. */
  readonly tries: number;
  readonly mayHaveActed: boolean;

  constructor(message: string, { tries, mayHaveActed }: Pick<TransportError, 'tries' | 'mayHaveActed'>) {
    super(message);
    this.name = 'TransportError';
    this.tries = tries;
    this.mayHaveActed = mayHaveActed;
  }
}

/**
 * Sends one request and reads its answer to the end. A redirect to another host is not followed: the request carries a
 * credential.
 *
 * @throws {TransportError} if there is no answer
 * @throws {CommandFailure} for a redirect to another host
 */
export async function fetchText(
  url: string,
  request: FetchedRequest,
  signal: AbortSignal,
): Promise<Received> {
  const first = new URL(url);
  let target = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answered = await fetchOnce(target, request, signal);
    if (answered.status < 300 || answered.status >= 400) return received(answered);
    const location = URL.parse(answered.headers.get('location') ?? '', target.href);
    const isSame = location !== null && location.origin === first.origin;
    if (!isSame || (request.method !== 'GET' && !REPEATING.includes(answered.status)))
      throw redirected(location);
    target = location;
  }
  throw new TransportError(`${first.host} redirects in a circle.`, { tries: 0, mayHaveActed: false });
}

async function fetchOnce(
  target: URL,
  { method, headers, body, timeoutMs }: FetchedRequest,
  signal: AbortSignal,
): Promise<Answered> {
  let isMade = true;
  const noting: typeof globalFetch = async (url, init) => {
    try {
      return await globalFetch(url, init);
    } catch (error) {
      isMade = NEVER_MADE.every((reason) => reasonOf(error) !== `: ${reason}`);
      throw error;
    }
  };
  try {
    return await sendOnce(noting, { method, url: target.href, headers, body: body() }, timeoutMs, signal);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    if (error.code === 'unexpected_answer') {
      const options = { code: error.code, exit: 'failed', next: ['svc', 'doctor'] } as const;
      throw new CommandFailure(error.message, options);
    }
    const [proxy] = isLoopback(target) ? [] : proxyVariables(process.env);
    const hint = proxy === undefined ? '' : ` (${proxy} is set)`;
    throw new TransportError(`${target.host} cannot be reached${hint}. ${error.message}`, {
      tries: error.code === 'timeout' ? TRIES_AFTER_SILENCE : Number.POSITIVE_INFINITY,
      mayHaveActed: isMade,
    });
  }
}

function received({ status, headers, text }: Answered): Received {
  const date = new Date(headers.get('date') ?? '');
  const retryAfterMs = retryAfterOf(headers);
  return {
    status,
    text,
    retryAfterSeconds: retryAfterMs === null ? null : retryAfterMs / 1_000,
    date: Number.isNaN(date.getTime()) ? null : date,
  };
}

function redirected(location: URL | null): CommandFailure {
  const where = location === null ? 'an unknown address' : location.origin;
  return new CommandFailure(
    `The service redirects to ${where}. The request has a credential, so it is sent to no other address.`,
    { code: 'redirect_refused', exit: 'network', next: ['svc', 'doctor'] },
  );
}
