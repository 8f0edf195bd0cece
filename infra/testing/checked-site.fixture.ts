import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The site of a customer on this machine: pages by their path, and the proof of its origin. */
export class CheckedSite {
  readonly pages = new Map<string, Answer>();
  /** Paths in the order of their requests. */
  readonly requested: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.requested.push(path);
      const answer = this.pages.get(path);
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    });
  }

  static async start(): Promise<CheckedSite> {
    const site = new CheckedSite();
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The variables of a service that may check this site with a browser. */
  get environment(): Readonly<Record<string, string>> {
    return { SVC_ALLOW_LOOPBACK: '1', SVC_LOOPBACK_PORTS: String(this.port) };
  }

  /** Answers a path with HTML. */
  page(path: string, html: string, status = 200): void {
    this.pages.set(path, (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
    });
  }

  /** Answers the address of a challenge with its content. */
  publish({ url, content }: { readonly url: string; readonly content: string }): void {
    this.pages.set(new URL(url).pathname, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(content);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
