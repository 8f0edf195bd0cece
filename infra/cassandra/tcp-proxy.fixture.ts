import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

/** What becomes of the bytes in one direction. */
type Passage = 'pass' | 'swallow';

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  frozen: boolean;
}

/** A way to a server that can be slow, be interrupted and lose what passes, as networks do. */
export class TcpProxy {
  requests: Passage = 'pass';
  answers: Passage = 'pass';
  /** How long every answer is held back. */
  answerDelayMs = 0;
  /** Called with every request that arrives, before it is passed on. */
  onRequest: (bytes: Buffer) => void = () => {};
  readonly #target: { host: string; port: number };
  readonly #links = new Set<Link>();
  #server: Server;
  #port = 0;

  static async open(target: string): Promise<TcpProxy> {
    const [host = '', port] = target.split(':');
    const proxy = new TcpProxy({ host, port: Number(port) });
    await proxy.accept();
    return proxy;
  }

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Takes connections, at the same port as before. */
  async accept(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection and takes no new ones. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  cut(): void {
    for (const { near, far } of this.#links) {
      near.destroy();
      far.destroy();
    }
  }

  /** Lets the present connections stand, and nothing ever pass through them again. New ones work. */
  freeze(): void {
    for (const link of this.#links) link.frozen = true;
  }

  #join(near: Socket): void {
    const far = createConnection(this.#target.port, this.#target.host);
    const link: Link = { near, far, frozen: false };
    this.#links.add(link);
    near.on('data', (bytes) => {
      this.onRequest(bytes);
      if (!link.frozen && this.requests === 'pass') far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (link.frozen || this.answers === 'swallow') return;
      if (this.answerDelayMs === 0) near.write(bytes);
      else setTimeout(() => near.write(bytes), this.answerDelayMs);
    });
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#links.delete(link);
        near.destroy();
        far.destroy();
      });
    }
  }
}
