import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import type { Gateway } from '../app.ts';
import type { WholeAnswer } from '../routing/exchange.ts';
import { OpenConnections } from './open-connections.ts';

/** The bounds that the server sets to callers. */
export interface ServerBounds {
  /** The maximum time for the request line and the headers. */
  readonly headersMs: number;
  /** The maximum time for a whole request with its body; the gateway's own default if absent. */
  readonly requestMs: number;
  /** The interval at which Node looks for requests that exceed these two. */
  readonly checkMs: number;
  /** The maximum time that a connection may be idle between two requests. */
  readonly keepAliveMs: number;
  /** The maximum time for requests under way once the server closes. */
  readonly drainMs: number;
  readonly headerBytes: number;
  readonly headers: number;
  readonly connections: number;
}

const SERVER_BOUNDS: Omit<ServerBounds, 'requestMs'> = {
  headersMs: 15 * SECOND_MS,
  checkMs: 5 * SECOND_MS,
  // Above the 60 seconds that common proxies keep a connection idle, so that it is always they who close it.
  keepAliveMs: 75 * SECOND_MS,
  // Longer than a request waits for the outcome of its command.
  drainMs: 15 * SECOND_MS,
  headerBytes: 16 * 1_024,
  headers: 100,
  connections: 10_000,
};

/** The time for which a refused connection stays, so that the answer can be read. */
const UNREAD_LINGER_MS = SECOND_MS;

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** {@link SERVER_BOUNDS} unless told otherwise. */
  readonly bounds?: Partial<ServerBounds>;
}

export interface GatewayServer {
  /** The port that is listened on. */
  readonly port: number;
  /**
   * Answers for 100 ms more, with `Connection: close`. Then stops accepting, lets requests under way finish within
   * `drainMs`, and cuts off what is left. Safe to call more than once.
   */
  close(): Promise<void>;
}

/** Starts the HTTP server; resolves once it accepts connections, rejects when it cannot listen. */
export async function listen(gateway: Gateway, options: ListenOptions): Promise<GatewayServer> {
  // Node has one bound for all routes. The readers of bodies set shorter ones.
  const bounds = { ...SERVER_BOUNDS, requestMs: gateway.requestMs, ...options.bounds };
  const { server, connections } = createHttpServer(gateway, bounds);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let closing: Promise<void> | null = null;
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      closing ??= connections.drain(server, bounds.drainMs);
      return closing;
    },
  };
}

function createHttpServer(gateway: Gateway, bounds: ServerBounds) {
  const server = createServer({
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    connectionsCheckingInterval: bounds.checkMs,
    keepAliveTimeout: bounds.keepAliveMs,
    maxHeaderSize: bounds.headerBytes,
    noDelay: true,
    // The gateway answers a missing host itself, as every other fault.
    requireHostHeader: false,
  });
  server.maxHeadersCount = bounds.headers;
  server.maxConnections = bounds.connections;
  const connections = new OpenConnections(server);
  const handle: RequestListener = (request, response) => {
    connections.began(request.socket, response);
    gateway.handle(request, response);
  };
  server.on('request', handle);
  // With these two, Node leaves `Expect` to the gateway, which asks for a body only after every check before it.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => {
    // Nothing else may be written into an answer that has begun.
    const answer = connections.answerOn(socket);
    if (answer?.headersSent === true && !answer.writableFinished) socket.destroy();
    else
      answerUnread(gateway, bounds, error, {
        socket,
        request: answer?.headersSent === false ? answer.req : null,
      });
  });
  // Without a listener Node closes the connection without a word. Nothing is allowed on an authority (RFC 9110, 10.2.1).
  server.on('connect', (_request, socket) => {
    const refused = gateway.refuseUnread(
      refusal('method_not_allowed', {
        at: 'request.method',
        seen: 'CONNECT',
        expected: 'another method; this is not a proxy',
      }),
      null,
    );
    endWith(socket, { ...refused, headers: { ...refused.headers, Allow: '' } });
  });
  return { server, connections };
}

/** Answers what Node's parser refused, and closes the connection: what follows on it cannot be understood. */
function answerUnread(
  gateway: Gateway,
  bounds: ServerBounds,
  error: NodeJS.ErrnoException,
  { socket, request }: { readonly socket: Duplex; readonly request: IncomingMessage | null },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(socket, gateway.refuseUnread(refusalOfParser(error, bounds), request));
}

function endWith(socket: Duplex, answer: WholeAnswer): void {
  socket.on('error', () => socket.destroy());
  socket.end(asText(answer));
  // The caller may keep its side open; the request that hangs on it must end all the same.
  const cut = setTimeout(() => socket.destroy(), UNREAD_LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

function refusalOfParser(
  { code }: NodeJS.ErrnoException,
  { headerBytes, headersMs, requestMs }: ServerBounds,
): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal('bad_request', {
        at: 'header',
        seen: 'headers that are too long',
        expected: `at most ${headerBytes} bytes of them`,
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('bad_request', {
        at: 'request',
        seen: 'a part of it',
        expected: `the headers within ${headersMs / SECOND_MS} seconds and all of it within ${requestMs / MINUTE_MS} minutes`,
      });
    default:
      return refusal('bad_request', {
        at: 'request',
        seen: 'bytes that are not an HTTP request',
        expected: 'HTTP/1.1 as RFC 9112 has it',
      });
  }
}

function asText({ status, headers, body }: WholeAnswer): string {
  const payload = JSON.stringify(body ?? {});
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(payload)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${payload}`;
}
