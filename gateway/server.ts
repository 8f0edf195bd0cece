import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Refusal, refusal } from '../schemas/base/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../schemas/base/time.ts';
import type { Gateway } from './app.ts';
import type { WholeAnswer } from './exchange.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface GatewayServer {
  /** The port that is listened on. */
  readonly port: number;
  /**
   * Stops accepting, lets requests under way finish within {@link DRAIN_MS}, then cuts off what is left. Safe to call
   * more than once.
   */
  close(): Promise<void>;
}

/** How long a caller may take for the request line and the headers. */
const HEADERS_TIMEOUT_MS = 15 * SECOND_MS;
/**
 * How long a caller may take for a whole request, its body included. Node knows one bound for all routes, so the largest
 * upload (5 MiB) decides: it passes at 45 KB/s.
 */
const REQUEST_TIMEOUT_MS = 2 * MINUTE_MS;
/** How often Node looks for requests that are past these bounds. */
const TIMEOUT_CHECK_MS = 5 * SECOND_MS;
/** Above the 60 seconds that common proxies keep a connection idle, so that it is always they who close it. */
const KEEP_ALIVE_MS = 75 * SECOND_MS;
const HEADER_BYTES_MAX = 16 * 1_024;
const HEADERS_MAX = 100;
const CONNECTIONS_MAX = 10_000;
/** How long requests under way may take once the server closes: longer than one waits for its outcome. */
const DRAIN_MS = 15 * SECOND_MS;
const IDLE_SWEEP_MS = 50;

/** Starts the HTTP server; resolves once it accepts connections, rejects when it cannot listen. */
export async function listen(gateway: Gateway, options: ListenOptions): Promise<GatewayServer> {
  const server = createHttpServer(gateway);
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
      closing ??= drain(server);
      return closing;
    },
  };
}

function createHttpServer(gateway: Gateway): Server {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // The gateway answers a missing host itself, as every other fault.
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxHeadersCount = HEADERS_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('request', gateway.handle);
  // With these two, Node leaves `Expect` to the gateway, which asks for a body only after every check before it.
  server.on('checkContinue', gateway.handle);
  server.on('checkExpectation', gateway.handle);
  server.on('clientError', (error, socket) => answerUnread(gateway, error, socket));
  return server;
}

/** Answers what Node's parser refused, and closes the connection: what follows on it cannot be understood. */
function answerUnread(gateway: Gateway, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasAnswered(socket)) {
    socket.destroy();
    return;
  }
  socket.end(asText(gateway.refuseUnread(refusalOfParser(error))));
}

/** Whether an answer is already on its way, into which nothing else may be written. */
function hasAnswered(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function refusalOfParser({ code }: NodeJS.ErrnoException): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal(
        'bad_request',
        `headers: longer than allowed, expected at most ${HEADER_BYTES_MAX} bytes.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('bad_request', 'The request did not arrive in time.');
    default:
      return refusal('bad_request', 'What arrived is not an HTTP/1.1 request.');
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

async function drain(server: Server): Promise<void> {
  // Node closes what is idle now; a connection whose request ends later would stay open for its keep-alive time.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
