// Listens: on a loopback port in the network namespace of a browser, through a helper that enters it.
import { spawn } from 'node:child_process';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { withTimeout } from '../../../schemas/base/timeout.ts';

const HELPER = fileURLToPath(new URL('./open-door.ts', import.meta.url));
/** From the start of the helper to its socket. */
const OPEN_TIMEOUT_MS = 30_000;

/**
 * The only way out of the network namespace of a browser: a socket that listens in there, and that this process holds. Runs
 * attach their proxies to it, one after the other.
 */
export class NamespaceDoor {
  readonly #server: Server;
  #accept: ((socket: Socket) => void) | null = null;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      if (this.#accept === null) socket.destroy();
      else this.#accept(socket);
    });
  }

  /** Opens a door in the namespace of a process, for as long as {@link close} is not called. */
  static async open(pid: number): Promise<NamespaceDoor> {
    const helper = spawn('nsenter', [`--net=/proc/${pid}/ns/net`, '--', process.execPath, HELPER], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    try {
      const opened = new Promise<Server>((resolve, reject) => {
        helper.once('message', (_message, handle) => {
          if (handle instanceof Server) resolve(handle);
          else reject(new Error('receiving a socket'));
        });
        helper.once('error', reject);
        helper.once('exit', () => reject(new Error('ending before there is a socket')));
      });
      return new NamespaceDoor(
        await withTimeout(OPEN_TIMEOUT_MS, opened, () => new Error('waiting for a socket')),
      );
    } finally {
      helper.kill('SIGKILL');
    }
  }

  /** The port in the namespace. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Gives connections from the browser to a proxy; null: closes them. */
  attach(accept: ((socket: Socket) => void) | null): void {
    this.#accept = accept;
  }

  close(): void {
    this.#accept = null;
    this.#server.close();
  }
}
