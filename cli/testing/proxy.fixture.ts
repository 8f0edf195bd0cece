import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request on its way through the proxy. */
export interface Passing {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An answer that the service gave, and its caller did not get. */
export interface Lost {
  readonly passing: Passing;
  readonly status: number;
  readonly body: string;
}

/** Decides about a request: `forward` it, `lose` its answer, `cut` its answer in the middle, or answer it in the place of the service. */
export type Decide = (passing: Passing) => Decision | Promise<Decision>;

export type Decision =
  | 'forward'
  | 'lose'
  | 'cut'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/**
 * A proxy between the tool and the real service, which disturbs the connection. The addresses of the service in its answers
 * are replaced, so that every request passes.
 */
export class DisturbingProxy {
  /** Every request so far. */
  readonly passed: Passing[] = [];
  /** The answers of the service that were lost. */
  readonly lost: Lost[] = [];
  /** All that passed in either direction, as text. */
  traffic = '';
  decide: Decide = () => 'forward';
  readonly #target: string;
  readonly #server: Server;

  private constructor(target: string, server: Server) {
    this.#target = target;
    this.#server = server;
  }

  static async start(target: string): Promise<DisturbingProxy> {
    const server = createServer();
    const proxy = new DisturbingProxy(target, server);
    server.on('request', (incoming, response) => void proxy.#pass(incoming, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Forgets what has passed, and forwards everything from now on. */
  reset(): void {
    this.passed.length = 0;
    this.lost.length = 0;
    this.decide = () => 'forward';
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(incoming).catch(() => null);
    // The caller has gone away.
    if (body === null) return;
    const { method = 'GET', url: path = '/', headers } = incoming;
    const passing = { number: this.passed.length + 1, method, path, headers, body };
    this.passed.push(passing);
    const decision = await this.decide(passing);
    if (typeof decision === 'object') {
      response.writeHead(decision.status, decision.headers).end(decision.body);
      return;
    }
    const answer = await this.#forward(passing);
    this.traffic += `${body}\n${answer.body}\n${headers.authorization ?? ''}\n`;
    if (decision === 'lose') {
      this.lost.push({ passing, ...answer });
      response.destroy();
    } else if (decision === 'cut') {
      const length = Buffer.byteLength(answer.body);
      response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
      response.write(answer.body.slice(0, length / 2), () => response.destroy());
    } else
      response.writeHead(answer.status, answer.headers).end(answer.body.replaceAll(this.#target, this.url));
  }

  async #forward({ method, path, headers, body }: Passing) {
    const { host } = new URL(this.#target);
    const { 'transfer-encoding': _chunked, ...kept } = headers;
    const forwarded = request(this.#target + path, {
      method,
      headers: { ...kept, host, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) },
    });
    forwarded.end(body);
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
    const text = await textOf(response);
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...others } = response.headers;
    return { status: response.statusCode ?? 0, headers: others, body: text };
  }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Starts a proxy of the kind that `HTTPS_PROXY` names. It counts the requests and tunnels, and refuses all of them. */
export async function startRefusingProxy() {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.writeHead(502).end();
  });
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    count += 1;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
