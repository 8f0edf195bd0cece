import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between the application and the service, and does something else with some requests than passing them on. */
export class KillingProxy {
  readonly #server: Server;
  readonly #target: string;
  readonly #onAcknowledgment: () => Promise<boolean>;

  private constructor(target: string, onAcknowledgment: () => Promise<boolean>) {
    this.#target = target;
    this.#onAcknowledgment = onAcknowledgment;
    this.#server = createServer(async (request, response) => {
      if (request.url?.endsWith('/ack') === true && (await this.#onAcknowledgment())) {
        request.destroy();
        return;
      }
      const answer = await this.#pass(request);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  }

  /** @param onAcknowledgment resolves with true when the request must not reach the service */
  static async start(target: string, onAcknowledgment: () => Promise<boolean>): Promise<KillingProxy> {
    const proxy = new KillingProxy(target, onAcknowledgment);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(request: IncomingMessage): Promise<Response> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return await fetch(new URL(request.url ?? '/', this.#target), {
      method: request.method ?? 'GET',
      headers: {
        authorization: request.headers.authorization ?? '',
        ...(chunks.length > 0 ? { 'content-type': 'application/json' } : {}),
      },
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    });
  }
}
