import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SECOND_MS } from '../../../schemas/base/time.ts';

/** The time for which a closing server still answers requests on idle and on new connections. */
const CLOSING_GRACE_MS = 100;
/** The maximum time for the rest of a request line and headers once the server closes. */
const UNFINISHED_HEADERS_MS = SECOND_MS;
const SWEEP_MS = 50;

interface OpenConnection {
  /** The answer to its latest request; null before the first one. */
  answer: ServerResponse | null;
  /** While the server closes: the bytes that had come, and since when no more have. */
  quiet: { bytes: number; since: number } | null;
}

/** The connections of a server, which Node closes only if they are idle between two requests. */
export class OpenConnections {
  readonly #open = new Map<Duplex, OpenConnection>();
  #closing = false;

  /** Follows the connections of a server from now on. */
  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.set(socket, { answer: null, quiet: null });
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** The answer to the latest request of a connection, or null before the first one. */
  answerOn(socket: Duplex): ServerResponse | null {
    return this.#open.get(socket)?.answer ?? null;
  }

  /** Notes the answer to a request that has come. */
  began(socket: Duplex, answer: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.answer = answer;
    if (this.#closing) endConnectionAfter(answer);
  }

  /**
   * Closes the server: answers for a moment as before, but as the last answer of each connection; then accepts no more, closes
   * each connection as soon as no request is under way on it, and cuts off what is left.
   *
   * @param drainMs how long requests under way may take.
   */
  async drain(server: Server, drainMs: number): Promise<void> {
    this.#closing = true;
    for (const { answer } of this.#open.values()) if (answer !== null) endConnectionAfter(answer);
    // A request that a caller writes while it does not know of the end yet has to be answered: it may not be repeatable.
    await new Promise((resolve) => setTimeout(resolve, Math.min(CLOSING_GRACE_MS, drainMs)));
    const beganAt = performance.now();
    const sweep = setInterval(() => this.#closeQuiet(beganAt), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), drainMs);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearInterval(sweep);
    clearTimeout(cut);
  }

  /** Closes every connection without a request under way on which nothing arrives, or only headers without an end. */
  #closeQuiet(beganAt: number): void {
    const now = performance.now();
    for (const [socket, connection] of this.#open) {
      if (connection.answer !== null && !connection.answer.closed) continue;
      const bytes = (socket as Socket).bytesRead;
      if (connection.quiet?.bytes !== bytes) connection.quiet = { bytes, since: now };
      if (now - connection.quiet.since >= CLOSING_GRACE_MS || now - beganAt >= UNFINISHED_HEADERS_MS) {
        socket.destroy();
      }
    }
  }
}

/**
 * Tells the caller that this connection gets no further answer (`Connection: close`). Otherwise a proxy sends its
 * next request on it, which is then lost and may not be repeated.
 */
function endConnectionAfter(answer: ServerResponse): void {
  if (!answer.headersSent) answer.shouldKeepAlive = false;
}
