import { CommandFailure } from '../failure.ts';
import { isLoopback } from './base-url.ts';
import { proxyVariables } from './proxy.ts';

/** The maximum size of an answer. The largest ones list the error counts of a hundred columns. */
const ANSWER_BYTES_MAX = 4 * 1_024 * 1_024;
/** Redirects within the same host that are followed. */
const REDIRECTS_MAX = 3;
/** Further tries of a request that got no answer in time: callers often end a command after two minutes. */
const TRIES_AFTER_SILENCE = 1;
/** Statuses that repeat the request at another address, with the same method and body (RFC 9110, 15.4). */
const REPEATING = [307, 308];

/** The body of a request; a stream for one that reports its progress. */
export type RequestBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

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

  constructor(message: string, { tries, cause }: { tries: number; cause?: unknown }) {
    super(message, { cause });
    this.name = 'TransportError';
    this.tries = tries;
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
    const { response, text } = await fetchOnce(target, request, signal);
    if (response.status < 300 || response.status >= 400) return received(response, text);
    const location = URL.parse(response.headers.get('location') ?? '', target.href);
    const isSame = location !== null && location.origin === first.origin;
    if (!isSame || (request.method !== 'GET' && !REPEATING.includes(response.status)))
      throw redirected(location);
    target = location;
  }
  throw new TransportError(`${first.host} redirects in a circle.`, { tries: 0 });
}

async function fetchOnce(
  target: URL,
  { method, headers, body, timeoutMs }: FetchedRequest,
  signal: AbortSignal,
) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    // A body that is read piece by piece needs `duplex`, which the types of Node do not know.
    const options = { method, headers, body: body(), redirect: 'manual', duplex: 'half' } as const;
    const response = await fetch(target, { ...options, signal: AbortSignal.any([signal, timeout]) });
    return { response, text: await readBounded(response) };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const reason = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : reasonOf(error);
    const [proxy] = isLoopback(target) ? [] : proxyVariables(process.env);
    const hint = proxy === undefined ? '' : ` (${proxy} is set)`;
    throw new TransportError(`${target.host} cannot be reached: ${reason}${hint}.`, {
      tries: timeout.aborted ? TRIES_AFTER_SILENCE : Number.POSITIVE_INFINITY,
      cause: error,
    });
  }
}

async function readBounded(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES_MAX) {
      throw new CommandFailure('The answer is larger than any answer of the service.', {
        code: 'unexpected_answer',
        exit: 'failed',
        next: ['svc', 'doctor'],
      });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function received(response: Response, text: string): Received {
  const date = new Date(response.headers.get('date') ?? '');
  return {
    status: response.status,
    text,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    date: Number.isNaN(date.getTime()) ? null : date,
  };
}

/** Reads `Retry-After` in seconds, the form in which the service writes it; null for every other one. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^[0-9]{1,6}$/.test(header) ? Number(header) : null;
}

function redirected(location: URL | null): CommandFailure {
  const where = location === null ? 'an unknown address' : location.origin;
  return new CommandFailure(
    `The service redirects to ${where}. The request has a credential, so it is sent to no other address.`,
    { code: 'redirect_refused', exit: 'network', next: ['svc', 'doctor'] },
  );
}

/** Returns the reason of a failed connection without the address, which a proxy variable could put a password into. */
function reasonOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code;
  }
  return 'the connection failed';
}
