import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of bytes: carried, lost in both directions, or lost on their way back; or no connection is accepted. */
export type Condition = 'sound' | 'black hole' | 'answers lost' | 'down';

/** A network of TCP connections to one server that a test can break and mend. */
export class FaultyNetwork {
  readonly #target: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #condition: Condition = 'sound';

  /** `target` is `host:port`. */
  static async open(target: string): Promise<FaultyNetwork> {
    const network = new FaultyNetwork(target);
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((socket) => this.#carry(socket));
  }

  /** Opens a connection through this network, whatever it was meant to lead to. */
  readonly connect = (_host: string, _port: number, onConnect: () => void): Socket =>
    connect((this.#server.address() as AddressInfo).port, '127.0.0.1', onConnect);

  become(condition: Condition): void {
    this.#condition = condition;
    if (condition === 'down') this.cut();
  }

  /** Ends every connection at once, without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  #carry(near: Socket): void {
    if (this.#condition === 'down') {
      near.destroy();
      return;
    }
    const [host = '', port = ''] = this.#target.split(':');
    const far = connect(Number(port), host);
    this.#keep(near, far);
    this.#keep(far, near);
    near.on('data', (bytes) => {
      if (this.#condition !== 'black hole') far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (this.#condition === 'sound') near.write(bytes);
    });
  }

  #keep(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    // What a cut connection complains about is what the test is about.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}
