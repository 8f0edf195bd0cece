import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../tools/service-process/service-process.ts';

/** The treatment of bytes: carried, or dropped on the way there, on the way back, or both ways. */
export type Condition = 'sound' | 'requests lost' | 'answers lost' | 'black hole';

/** Changes the answers of a server, chunk by chunk. */
type Rewrite = (bytes: Buffer) => Buffer;

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  frozen: boolean;
}

/** A TCP proxy that can delay, interrupt and lose bytes, as networks do. */
export class TcpProxy {
  condition: Condition = 'sound';
  /** Delay of each answer. */
  answerDelayMs = 0;
  /** Called with the bytes of each request before the proxy passes them on. */
  onRequest: (bytes: Buffer) => void = () => {};
  readonly #target: { readonly host: string; readonly port: number };
  readonly #links = new Set<Link>();
  readonly #server: Server;
  readonly #port: number;
  #rewrite: Rewrite = (bytes) => bytes;

  /** @param target `host:port` */
  static async open(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, await freePort());
    await proxy.accept();
    return proxy;
  }

  /**
   * Opens a proxy for a Kafka broker. Clients connect to the addresses that brokers advertise, so the proxy replaces
   * the target's address in answers by its own. The target has to be the advertised address, in IPv4.
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

  /** Accepts connections, at the same port as before. */
  async accept(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Closes every connection and rejects new ones. */
  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Destroys every connection at once, without a goodbye. */
  cut(): void {
    for (const { near, far } of this.#links) {
      near.destroy();
      far.destroy();
    }
  }

  /** Keeps the present connections open and drops all their bytes from now on. New connections work. */
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

/** Encodes an address like a broker: the length of the name in two bytes, the name, the port in four bytes. */
function inKafka(host: string, port: number): Buffer {
  const bytes = Buffer.alloc(2 + host.length + 4);
  bytes.writeInt16BE(host.length);
  bytes.write(host, 2, 'latin1');
  bytes.writeInt32BE(port, 2 + host.length);
  return bytes;
}

/** Replaces an address by one of the same length, so that the offsets in the answer stay valid. */
function replaceAll(bytes: Buffer, wanted: Buffer, replacement: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf(wanted); at >= 0; at = changed.indexOf(wanted, at + wanted.length)) {
    replacement.copy(changed, at);
  }
  return changed;
}
