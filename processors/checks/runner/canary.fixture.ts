import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that no run may reach. It counts what reaches it over TCP, in IPv4 and IPv6, and over UDP. */
export class Canary {
  reached = 0;
  /** Paths of requests, in the order of their arrival. */
  readonly paths: string[] = [];
  readonly #server: Server;
  readonly #udp: UdpSocket;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.paths.push(request.url ?? '');
      response.end('secret of the canary');
    });
    this.#udp = createSocket('udp4');
    this.#server.on('connection', () => {
      this.reached += 1;
    });
    this.#udp.on('message', () => {
      this.reached += 1;
    });
  }

  static async start(): Promise<Canary> {
    const canary = new Canary();
    // Every address of this machine, whichever kinds it has.
    await new Promise<void>((resolve) => canary.#server.listen(0, resolve));
    await new Promise<void>((resolve) => canary.#udp.bind(canary.port, '127.0.0.1', resolve));
    return canary;
  }

  /** Forgets what has reached it. */
  reset(): void {
    this.reached = 0;
    this.paths.length = 0;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#udp.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
