// Sends requests with Node's HTTP client, whose request costs about half of one with `fetch`; elsewhere with `fetch`.
import { SvcError } from './error.ts';
import {
  ANSWER_BYTES_MAX,
  type Answered,
  type Fetch,
  globalFetch,
  type Outgoing,
  reasonOf,
  sendOnce,
  timedOut,
  tooLarge,
} from './transport.ts';

/** Sends a request once and reads its answer to the end. It rejects like `sendOnce`. */
export type Sender = (
  request: Outgoing & { readonly body: string | null },
  timeoutMs: number,
  signal?: AbortSignal,
) => Promise<Answered>;

type Http = Pick<typeof import('node:http'), 'request' | 'globalAgent'>;

/** The globals that tell runtimes apart. */
interface Runtime {
  readonly process?: {
    readonly release?: { readonly name?: string };
    readonly getBuiltinModule?: (name: string) => unknown;
  };
  readonly navigator?: { readonly userAgent?: string };
}

/** The `fetch` of the runtime itself. Another one was put in its place, by tests or instruments, and is used. */
const firstFetch = globalThis.fetch;

/** True in Cloudflare Workers, where a request must not wait for one that another request of a visitor has sent. */
export function isWorker(): boolean {
  return (globalThis as Runtime).navigator?.userAgent === 'Cloudflare-Workers';
}

/** @param fetch a replacement for what the runtime has */
export function senderOf(fetch: Fetch | undefined): Sender {
  const viaFetch: Sender = (request, timeoutMs, signal) =>
    sendOnce(fetch ?? globalFetch, request, timeoutMs, signal);
  const viaNode = fetch === undefined ? nodeSender() : null;
  if (viaNode === null) return viaFetch;
  return (...sent) => (globalThis.fetch === firstFetch ? viaNode : viaFetch)(...sent);
}

/** Returns a sender that keeps connections, or null in another runtime and in a Node that is too old. */
function nodeSender(): Sender | null {
  const { process } = globalThis as Runtime;
  const isNode = process?.release?.name === 'node' && !('Bun' in globalThis || 'Deno' in globalThis);
  // Unlike an import, it means nothing to bundlers for other runtimes.
  const builtin = isNode && !isWorker() ? process.getBuiltinModule : undefined;
  if (builtin === undefined) return null;
  const [http, https] = [builtin('node:http') as Http, builtin('node:https') as Http];
  return (request, timeoutMs, signal) =>
    new Promise((resolve, reject) => {
      exchange(request.url.startsWith('https:') ? https : http, request, {
        timeoutMs,
        signal,
        resolve,
        reject,
      });
    });
}

interface Settling {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: SvcError) => void;
}

function exchange(
  { request: open }: Http,
  { url, method, headers, body }: Parameters<Sender>[0],
  { timeoutMs, signal, resolve, reject }: Settling,
): void {
  let reason: SvcError | null = null;
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  const fail = (error: unknown) => {
    end();
    reject(reason ?? new SvcError('no_answer', `The connection failed or broke${reasonOf(error)}.`));
  };
  const sent = open(url, { method, headers }, (response) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    response.on('data', (piece: Uint8Array) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > ANSWER_BYTES_MAX) stop(tooLarge());
    });
    response.on('error', fail);
    response.on('end', () => {
      end();
      const { statusCode = 0, headers: received } = response;
      const get = (name: string) => String(received[name] ?? '') || null;
      resolve({ status: statusCode, headers: { get }, text: textOf(pieces) });
    });
  });
  const stop = (error: SvcError) => {
    reason = error;
    sent.destroy(error);
  };
  const abort = () => stop(new SvcError('no_answer', 'The connection failed or broke.'));
  const timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
  sent.on('error', fail);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  sent.end(body ?? undefined);
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}
