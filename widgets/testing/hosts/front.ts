import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** A request that a browser made through a {@link Front}, with the status of its answer once there is one. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  status: number | null;
}

/** HTTPS in front of the service, as a customer's browser reaches it. It can fail like a network, and notes requests. */
export class Front {
  readonly origin: string;
  readonly #server: Server;
  #target: URL | null = null;
  #passed: Passed[] = [];
  /** True while every connection is closed without an answer. */
  isDown = false;
  /** Requests whose path matches get no answer; null: all get one. */
  silent: RegExp | null = null;
  /** Requests whose path matches reach the service, and their answers are lost; null: none is. */
  losing: RegExp | null = null;

  private constructor(server: Server, origin: string) {
    this.#server = server;
    this.origin = origin;
  }

  /** Listens on a free port. Requests are answered once there is a {@link target}. */
  static async listen(host: string, certificate: Certificate): Promise<Front> {
    const server = createServer(certificate);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new Front(server, `https://${host}:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => front.#pass(request, response));
    return front;
  }

  /** Names the service behind it. */
  set target(url: string) {
    this.#target = new URL(url);
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

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const noted: Passed = { method, path: url, headers, status: null };
    this.#passed.push(noted);
    if (this.isDown || this.#target === null) {
      request.socket.destroy();
      return;
    }
    if (this.silent?.test(url) === true && method !== 'OPTIONS') return;
    const { hostname, port } = this.#target;
    const forwarded = httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
      noted.status = answer.statusCode ?? null;
      if (this.losing?.test(url) === true && method !== 'OPTIONS') {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }
}
