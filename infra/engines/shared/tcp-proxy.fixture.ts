import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../tools/service-process/service-process.ts';

/** What becomes of bytes: carried, or lost on their way there, on their way back, or on both. */
export type Condition = 'sound' | 'requests lost' | 'answers lost' | 'black hole';

/** Changes what a server answers, chunk by chunk. */
type Rewrite = (bytes: Buffer) => Buffer;

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  frozen: boolean;
}

/** A way to a server that can be slow, be interrupted and lose what passes, as networks do. */
export class TcpProxy {
  condition: Condition = 'sound';
  /** How long every answer is held back. */
  answerDelayMs = 0;
  /** Called with every request that arrives, before it is passed on. */
  onRequest: (bytes: Buffer) => void = () => {};
  readonly #target: { readonly host: string; readonly port: number };
  readonly #links = new Set<Link>();
  readonly #server: Server;
  readonly #port: number;
  #rewrite: Rewrite = (bytes) => bytes;

  /** `target` is `host:port`. */
  static async open(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, await freePort());
    await proxy.accept();
    return proxy;
  }

  /**
   * Opens a way to a Kafka broker. Clients connect to the addresses that brokers name, so this one gives its own wherever
   * the broker gives the target, which has to be an IPv4 address and the one that the broker advertises.
   */
  static async openToBroker(target: string): Promise<TcpProxy> {
    const proxy = await TcpProxy.open(target);
    const { host, port } = proxy.#target;
    const [named, own] = [inKafka(host, port), inKafka(host, proxy.#port)];
    proxy.#rewrite = (bytes) => replaceAll(bytes, named, own);
    return proxy;
  }

  private constructor(target: string, port: number) {
    this.#port = port;
    const [host = '', targetPort] = target.split(':');
    this.#target = { host, port: Number(targetPort) };
    this.#server = createServer((near) => this.#join(near));
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Takes connections, at the same port as before. */
  async accept(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Cuts every connection and takes no new ones. */
  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Ends every connection at once, without a word. */
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
      if (!link.frozen && this.#carries('requests lost')) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (link.frozen || !this.#carries('answers lost')) return;
      const answer = this.#rewrite(bytes);
      if (this.answerDelayMs === 0) near.write(answer);
      else setTimeout(() => near.write(answer), this.answerDelayMs);
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

  #carries(loss: 'requests lost' | 'answers lost'): boolean {
    return this.condition !== 'black hole' && this.condition !== loss;
  }
}

/** An address as a broker writes it: the length of the name in two bytes, the name, the port in four bytes. */
function inKafka(host: string, port: number): Buffer {
  const bytes = Buffer.alloc(2 + host.length + 4);
  bytes.writeInt16BE(host.length);
  bytes.write(host, 2, 'latin1');
  bytes.writeInt32BE(port, 2 + host.length);
  return bytes;
}

/** Both have the same length, so that everything else of the answer stays where it is. */
function replaceAll(bytes: Buffer, wanted: Buffer, replacement: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf(wanted); at >= 0; at = changed.indexOf(wanted, at + wanted.length)) {
    replacement.copy(changed, at);
  }
  return changed;
}
