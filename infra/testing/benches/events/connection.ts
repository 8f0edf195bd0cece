import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Offsets of the status code in an answer, which is all that a load generator reads besides its length. */
const STATUS = { from: 9, to: 12 } as const;
const END_OF_HEADERS = '\r\n\r\n';
const CONTENT_LENGTH = /content-length: (\d+)/i;

export function statusOf(answer: string): number {
  return Number(answer.slice(STATUS.from, STATUS.to));
}

/** A request of the load generator. */
export interface LoadRequest {
  readonly path: string;
  /** A bearer secret, or null: without a credential. */
  readonly credential: string | null;
  /** JSON of nothing but ASCII. */
  readonly body: string;
}

/**
 * One kept-alive connection that carries one request at a time. Node's own client costs as much as the server that is to be
 * measured, on the same cores; this one knows no more of HTTP than our own answers take.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received = '';
  #answered: PromiseWithResolvers<string> | null = null;

  static async open(port: number, localAddress = '127.0.0.1'): Promise<HttpConnection> {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#receive(text));
    const fail = (): void => this.#answered?.reject(new Error('waiting for an answer: the connection ended'));
    socket.on('error', fail);
    socket.on('close', fail);
  }

  /** Posts a request and resolves with the status of the answer. */
  async post({ path, credential, body }: LoadRequest): Promise<number> {
    const authorization = credential === null ? '' : `Authorization: Bearer ${credential}\r\n`;
    const answer = await this.exchange(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return statusOf(answer);
  }

  /** Sends the text of a request, and resolves with that of its answer. */
  exchange(request: string): Promise<string> {
    if (this.#answered !== null) throw new Error('sending a second request on a connection');
    this.#answered = Promise.withResolvers<string>();
    this.#socket.write(request);
    return this.#answered.promise;
  }

  /** False once the service has closed the connection. */
  get isOpen(): boolean {
    return this.#socket.readyState === 'open';
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const headersEnd = this.#received.indexOf(END_OF_HEADERS);
    if (headersEnd < 0) return;
    const length = Number(CONTENT_LENGTH.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < headersEnd + END_OF_HEADERS.length + length) return;
    const answer = this.#received;
    this.#received = '';
    const answered = this.#answered;
    this.#answered = null;
    answered?.resolve(answer);
  }
}
