import type { Ask } from '../../e2e/workspaces/tenants.fixture.ts';
import { HttpConnection, statusOf } from '../events/connection.ts';

/** Far below the backlog of Node's server: what overflows it is sent again after a second. */
const OPENED_AT_ONCE = 100;
const RETRY_AFTER = /\r\nretry-after: (\S+)/i;
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Connections of a client that costs far less than the service. Node's own client would be overloaded first, and its latencies
 * would be its own.
 */
export class LightClient {
  readonly #idle: HttpConnection[] = [];

  /** Opens connections before they are needed, as many at once as a server's backlog holds. */
  async open(url: string, count: number): Promise<void> {
    const port = Number(new URL(url).port);
    while (this.#idle.length < count) {
      const opened = Array.from({ length: OPENED_AT_ONCE }, () => HttpConnection.open(port));
      this.#idle.push(...(await Promise.all(opened)));
    }
  }

  readonly ask: Ask = async (url, { method = 'GET', headers, body = '' }) => {
    const { host, port, pathname } = new URL(url);
    const lines = Object.entries({ host, 'content-length': String(Buffer.byteLength(body)), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const connection = this.#takeIdle() ?? (await HttpConnection.open(Number(port)));
    const text = await connection.exchange(`${method} ${pathname} HTTP/1.1\r\n${head}\r\n${body}`);
    this.#idle.push(connection);
    const answered = JSON.parse(text.slice(text.indexOf(END_OF_HEADERS)));
    const retryAfter = RETRY_AFTER.exec(text)?.[1] ?? null;
    return { status: statusOf(text), code: answered.error?.code ?? null, body: answered, retryAfter };
  };

  /** The service closes connections that carry no request for some seconds. */
  #takeIdle(): HttpConnection | null {
    for (let next = this.#idle.pop(); next !== undefined; next = this.#idle.pop()) {
      if (next.isOpen) return next;
    }
    return null;
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}
