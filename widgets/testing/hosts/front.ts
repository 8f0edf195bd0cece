import { once } from 'node:events';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** A request that a browser made through a {@link Front}, with the status of its answer once there is one. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  status: number | null;
}

/** The fate of an answer after the service acted: it arrives, its connection is reset, or the browser waits for it. */
export type Fate = 'arrive' | 'reset' | 'wait';

/** A proxy in front of the service, as a browser reaches it. It can fail like a network, and notes requests. */
export class Front {
  readonly origin: string;
  readonly #server: Server;
  #target: URL | null = null;
  #passed: Passed[] = [];
  /** True while every connection is closed without an answer. */
  isDown = false;
  /** Requests whose path matches get no answer; null: all get one. */
  silent: RegExp | null = null;
  /** True while connections stay open after an answer. A browser sends a request again by itself if one of these ends. */
  keepsAlive = false;
  /** Decides about the answer to a request, which has its status by then. */
  fateOf: (passed: Passed) => Fate = () => 'arrive';

  private constructor(server: Server, origin: string) {
    this.#server = server;
    this.origin = origin;
  }

  /** Listens on a free port, with HTTPS if there is a certificate. Requests are answered once there is a {@link target}. */
  static async listen(host: string, certificate: Certificate | null): Promise<Front> {
    const server = certificate === null ? createHttpServer() : createServer(certificate);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const scheme = certificate === null ? 'http' : 'https';
    const front = new Front(server, `${scheme}://${host}:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => front.#pass(request, response));
    return front;
  }

  /** Names the service behind it. */
  set target(url: string) {
    this.#target = new URL(url);
  }

  /** Loses the answers to requests whose path matches, after they reached the service; null: none is lost. */
  set losing(path: RegExp | null) {
    this.fateOf = (passed) => (path?.test(passed.path) === true ? 'reset' : 'arrive');
  }

  /** The requests so far to paths that match, without preflights. */
  passed(path: RegExp): readonly Passed[] {
    return this.#passed.filter((each) => each.method !== 'OPTIONS' && path.test(each.path));
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.#passed = [];
  }

  /** Sends a request as a backend does, to the service behind it. @throws {Error} for a refusal */
  async ask(
    method: string,
    path: string,
    { authorization, json }: { readonly authorization: string; readonly json: object },
  ): Promise<Record<string, unknown>> {
    const { hostname = '', port = '' } = this.#target ?? {};
    const body = JSON.stringify(json);
    const headers = { authorization, host: new URL(this.origin).host, 'content-type': 'application/json' };
    const request = httpRequest({ hostname, port, method, path, headers }).end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await answer.toArray()).toString();
    if ((answer.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** The headers for the service. Without a certificate, it takes the page for one at its own address. */
  #forwarded(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
    if (this.#target === null || this.origin.startsWith('https:')) return headers;
    const { host, origin } = this.#target;
    const { 'accept-encoding': _packed, ...others } = headers;
    return { ...others, host, ...(headers.origin === undefined ? {} : { origin }) };
  }

  /** Sends an answer on. Without a certificate, the addresses of the service in JSON become those of this proxy. */
  async #deliver(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const { connection: _kept, 'keep-alive': _seconds, 'content-length': length, ...others } = answer.headers;
    const status = answer.statusCode ?? 502;
    const isJson = others['content-type']?.startsWith('application/json') === true;
    if (this.#target === null || !isJson || this.origin.startsWith('https:')) {
      response.writeHead(status, {
        ...others,
        ...(length === undefined ? {} : { 'content-length': length }),
      });
      answer.pipe(response);
      return;
    }
    const text = Buffer.concat(await answer.toArray()).toString();
    response.writeHead(status, others).end(text.replaceAll(this.#target.origin, this.origin));
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    response.shouldKeepAlive = this.keepsAlive;
    const noted: Passed = { method, path: url, headers, status: null };
    this.#passed.push(noted);
    if (this.isDown || this.#target === null) {
      request.socket.destroy();
      return;
    }
    if (this.silent?.test(url) === true && method !== 'OPTIONS') return;
    const { hostname, port } = this.#target;
    const options = { hostname, port, method, path: url, headers: this.#forwarded(headers) };
    const forwarded = httpRequest(options, (answer) => {
      noted.status = answer.statusCode ?? null;
      const fate = method === 'OPTIONS' ? 'arrive' : this.fateOf(noted);
      if (fate === 'reset') request.socket.destroy();
      if (fate !== 'arrive') return;
      this.#deliver(answer, response).catch(() => response.destroy());
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }
}
