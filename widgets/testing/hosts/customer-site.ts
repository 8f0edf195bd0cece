import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** A page of a customer. */
export interface HostPage {
  /** The content of `body`. */
  readonly body?: string;
  /** Addresses of scripts that stand before the page's own. */
  readonly scripts?: readonly string[];
  /** The page's own script, which `script-src 'self'` allows. */
  readonly script?: string;
  /** The page's own style sheet. */
  readonly style?: string;
  /** Attributes of `html`, such as `dir="rtl"`. */
  readonly html?: string;
  /** The `Content-Security-Policy`. {@link CustomerSite.policy} if absent. */
  readonly policy?: string;
  /** Further headers of the page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The nonce of all script tags. */
  readonly nonce?: string;
}

/** An answer of the customer's backend. */
export interface BackendAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request to the customer's backend. */
export interface BackendRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Backend = (request: BackendRequest) => Promise<BackendAnswer>;

/** The web site of a customer over HTTPS: pages with strict policies, and a backend that speaks with the service. */
export class CustomerSite {
  readonly origin: string;
  readonly #server: Server;
  readonly #pages = new Map<string, HostPage>();
  readonly #ingest: string;
  #number = 0;
  /** The requests to the backend so far. */
  readonly asked: BackendRequest[] = [];
  /** Answers POST to `/api/…`. */
  backend: Backend = async () => ({ status: 404, json: {} });

  private constructor(server: Server, origin: string, ingest: string) {
    this.#server = server;
    this.origin = origin;
    this.#ingest = ingest;
  }

  /** @param ingest the origin of the service that the pages' policies allow */
  static async listen(host: string, certificate: Certificate, ingest: string): Promise<CustomerSite> {
    const server = createServer(certificate);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const site = new CustomerSite(server, `https://${host}:${port}`, ingest);
    server.on('request', (request, response) => {
      site.#answer(request, response).catch(() => response.destroy());
    });
    return site;
  }

  /** The policy that the documentation of the widgets asks for, and nothing more. */
  get policy(): string {
    return [
      "default-src 'none'",
      `script-src 'self' ${this.#ingest}`,
      "style-src 'self'",
      `connect-src 'self' ${this.#ingest}`,
      "base-uri 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
    ].join('; ');
  }

  /** Publishes a page and returns its address. */
  publish(page: HostPage): string {
    this.#number += 1;
    this.#pages.set(String(this.#number), page);
    return `${this.origin}/${this.#number}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request;
    const [, number = '', file = ''] = url.split(/[/?]/);
    if (method === 'POST') {
      const body = Buffer.concat(await request.toArray()).toString();
      const asked = { path: url, headers: request.headers, body };
      this.asked.push(asked);
      const { status, json, headers } = await this.backend(asked);
      response.writeHead(status, {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        ...headers,
      });
      response.end(JSON.stringify(json));
      return;
    }
    const page = this.#pages.get(number);
    const types: Record<string, string> = { '': 'html', 'host.js': 'javascript', 'host.css': 'css' };
    if (page === undefined || types[file] === undefined) {
      // A browser asks for an icon by itself.
      response.writeHead(url === '/favicon.ico' ? 204 : 404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': `text/${types[file]}; charset=utf-8`,
      'Content-Security-Policy': page.policy ?? this.policy,
      ...page.headers,
    });
    response.end(file === 'host.js' ? page.script : file === 'host.css' ? page.style : htmlOf(page));
  }
}

function htmlOf({ body = '<main id="here"></main>', scripts = [], html = '', nonce }: HostPage): string {
  const given = nonce === undefined ? '' : ` nonce="${nonce}"`;
  const tags = [...scripts, 'host.js'].map((source) => `<script src="${source}"${given} defer></script>`);
  return `<!doctype html><html lang="en" ${html}><head><meta charset="utf-8"><title>A customer's page</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="host.css">${tags.join('')}</head><body>${body}</body></html>`;
}
