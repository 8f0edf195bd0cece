// Opens: one connection for each proof, through the egress guard.
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import type { TlsCause } from '../../../schemas/checks/tls-causes.ts';
import type { ProofFailure, ProofFile, ProofReading } from '../../../topics/ports/proofs.ts';
import type { EgressGuard } from './guard.ts';
import { portOf } from './proxy.ts';
import { tlsCauseOf } from './tls-cause.ts';

/** From the request to the end of the body. */
const FETCH_TIMEOUT_MS = 5_000;
const BODY_BYTES_MAX = 1_024;
const TYPE = /^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,60}$/;

export interface ProofOptions {
  readonly guard: EgressGuard;
  /** The user agent of the request. */
  readonly clientName: string;
  /** Trusted certificates in PEM; by default those of this machine. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

export interface ProofFetcher {
  /** Fetches a file that proves an origin. Never rejects; takes some seconds at most. */
  read(file: ProofFile): Promise<ProofReading>;
}

/** Reads proofs over HTTPS with a valid certificate, without redirects, cookies and caches. */
export function createProofReader(options: ProofOptions): ProofFetcher {
  const { timeoutMs = FETCH_TIMEOUT_MS } = options;
  return {
    async read(file) {
      const fetching = new AbortController();
      try {
        return await withTimeout(
          timeoutMs,
          fetchProof(file, options, fetching.signal),
          () => new ProofError('timeout'),
        );
      } catch (error) {
        if (!(error instanceof ProofError)) return { kind: 'failed', reason: 'connect' };
        const { reason, tlsCause } = error;
        return { kind: 'failed', reason, ...(tlsCause !== null && { cause: tlsCause }) };
      } finally {
        fetching.abort();
      }
    },
  };
}

class ProofError extends Error {
  readonly reason: ProofFailure;
  readonly tlsCause: TlsCause | null;

  constructor(reason: ProofFailure, tlsCause: TlsCause | null = null) {
    super(`reading a proof: ${reason}`);
    this.name = 'ProofError';
    this.reason = reason;
    this.tlsCause = tlsCause;
  }
}

async function fetchProof(
  { url: address, content }: ProofFile,
  { guard, clientName, ca }: ProofOptions,
  signal: AbortSignal,
): Promise<ProofReading> {
  const url = new URL(address);
  const opened = await guard.open(url.hostname, portOf(url));
  if ('refused' in opened) throw new ProofError(opened.refused);
  const { socket } = opened;
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  if (signal.aborted) socket.destroy();
  const secured = url.protocol === 'https:' ? await secure(socket, url.hostname, ca) : socket;
  const answer = await ask(secured, url, clientName);
  const body = await readBody(answer);
  const contentType = mediaTypeOf(answer);
  const status = answer.statusCode ?? 0;
  const text = body?.toString('latin1').replace(/\r?\n$/, '');
  if (status === 200 && contentType === 'text/plain' && text === content) return { kind: 'matches' };
  return { kind: 'mismatch', status, contentType, length: body?.length ?? null };
}

function secure(socket: Socket, servername: string, ca: string | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      servername,
      ...(ca !== undefined && { ca }),
      ALPNProtocols: ['http/1.1'],
    });
    secured.once('secureConnect', () => resolve(secured));
    secured.on('error', (error) => reject(new ProofError('tls', tlsCauseOf(error))));
    secured.once('close', () => reject(new ProofError('tls', 'closed')));
  });
}

function ask(socket: Socket, url: URL, clientName: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { host: url.host, accept: 'text/plain', 'user-agent': clientName, connection: 'close' };
    const asked = request({ createConnection: () => socket, path: url.pathname, headers });
    asked.on('response', resolve);
    asked.on('error', (error) => {
      // Since TLS 1.3 a server refuses a client after the client's side of the handshake.
      const cause = tlsCauseOf(error);
      reject(cause === null || cause === 'closed' ? new ProofError('connect') : new ProofError('tls', cause));
    });
    asked.end();
  });
}

/** The body, or null if it is longer than any proof. */
async function readBody(answer: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > BODY_BYTES_MAX) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function mediaTypeOf({ headers }: IncomingMessage): string | null {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPE.test(type) ? type : null;
}
