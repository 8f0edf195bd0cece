// Listens: on a loopback port for one browser run. Connects only through the egress guard.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { digestsEqual } from '../../../schemas/base/digest.ts';
import type { EgressGuard, Opened, RefusedConnection } from './guard.ts';

/** Connections of the browser at the same time. */
const CONNECTIONS_AT_ONCE = 64;
/** Connections of one run. A page of a shop takes about a hundred. */
const CONNECTIONS_A_RUN = 600;
/** Bytes of one run, both ways. */
const BYTES_A_RUN = 64 * 1_024 * 1_024;
/** Refusals are answered at a multiple of this after their request, whatever their reason is. */
const REFUSAL_STEP_MS = 250;
/** A tunnel without a byte for this time ends. */
const TUNNEL_IDLE_MS = 60_000;
const HEADERS_TIMEOUT_MS = 10_000;

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Headers that hold between two neighbours only (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

const USERNAME = 'run';
const PASSWORD_BYTES = 24;
const CHALLENGE = { 'Proxy-Authenticate': 'Basic realm="run"', 'Content-Length': '0', Connection: 'close' };
const CHALLENGE_TO_CONNECT = [
  'HTTP/1.1 407 Proxy Authentication Required',
  ...Object.entries(CHALLENGE).map(([name, value]) => `${name}: ${value}`),
  '\r\n',
].join('\r\n');

/** The address of a proxy, and what it asks for, so that other programs of this machine do not use what a run may. */
export interface ProxyAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** The bounds of a run that its proxy enforces. */
export type EgressLimit = 'bytes' | 'connections';

export interface EgressProxyOptions {
  readonly guard: EgressGuard;
  /** The only hosts that the run may reach; null: every public one. */
  readonly hosts: readonly string[] | null;
  /** Called once, when a bound of the run is reached: everything is closed then. */
  readonly onLimit: (limit: EgressLimit) => void;
  readonly bytesMax?: number;
  readonly connectionsMax?: number;
  /** The place from which connections of the browser come; null or absent: a free port of the loopback interface. */
  readonly door?: ProxyDoor | null;
}

/** A listening socket that proxies use one after the other. */
export interface ProxyDoor {
  readonly port: number;
  /** Gives connections to a function; null: closes them. */
  attach(accept: ((socket: Socket) => void) | null): void;
}

/**
 * An HTTP proxy for the browser of one run (CONNECT and absolute form). Refusals have one answer and come at fixed times, so
 * neither the answer nor its time tells a page why it was refused.
 */
export class EgressProxy {
  readonly #guard: EgressGuard;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #hosts: readonly string[] | null;
  readonly #onLimit: EgressProxyOptions['onLimit'];
  readonly #bytesMax: number;
  readonly #connectionsMax: number;
  readonly #door: ProxyDoor | null;
  readonly #password = randomBytes(PASSWORD_BYTES).toString('base64url');
  readonly #refusals = new Map<string, RefusedConnection>();
  #blocked = 0;
  #bytes = 0;
  #connections = 0;
  #limit: EgressLimit | null = null;
  #isClosed = false;

  private constructor({ guard, hosts, onLimit, bytesMax, connectionsMax, door }: EgressProxyOptions) {
    this.#guard = guard;
    this.#hosts = hosts;
    this.#onLimit = onLimit;
    this.#bytesMax = bytesMax ?? BYTES_A_RUN;
    this.#connectionsMax = connectionsMax ?? CONNECTIONS_A_RUN;
    this.#door = door ?? null;
    this.#server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (incoming, response) => {
      if (this.#isOfRun(incoming)) this.#forward(incoming, response).catch(() => response.destroy());
      else response.writeHead(407, CHALLENGE).end();
    });
    this.#server.maxConnections = CONNECTIONS_AT_ONCE;
    this.#server.on('connection', (socket: Socket) => this.#hold(socket));
    this.#server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (this.#isOfRun(incoming)) {
        this.#tunnel(incoming.url ?? '', socket, head).catch(() => socket.destroy());
      } else socket.end(CHALLENGE_TO_CONNECT);
    });
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Starts a proxy on a free port of the loopback interface, or at its door. */
  static async start(options: EgressProxyOptions): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    if (proxy.#door !== null) {
      proxy.#door.attach((socket) => proxy.#accept(socket));
      return proxy;
    }
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  /** The access of the browser. */
  get access(): ProxyAccess {
    const { port } = this.#door ?? (this.#server.address() as AddressInfo);
    return { url: `http://127.0.0.1:${port}`, username: USERNAME, password: this.#password };
  }

  /** The requests that a rule of the guard refused. */
  get blocked(): number {
    return this.#blocked;
  }

  /** True once the browser has asked for anything. */
  get isUsed(): boolean {
    return this.#connections > 0;
  }

  /** The bound of the run that was reached, or null. */
  get limit(): EgressLimit | null {
    return this.#limit;
  }

  /** The reason for which the last request to the server of an address was refused, or null if it was not. */
  refusalOf(url: URL): RefusedConnection | null {
    return this.#refusals.get(`${url.hostname}:${portOf(url)}`) ?? null;
  }

  /** Closes every connection, and resolves once none is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#door?.attach(null);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closeConnections();
    await closed;
  }

  #isOfRun({ headers }: IncomingMessage): boolean {
    const expected = Buffer.from(`${USERNAME}:${this.#password}`).toString('base64');
    return digestsEqual(headers['proxy-authorization'] ?? '', `Basic ${expected}`);
  }

  async #tunnel(target: string, client: Duplex, head: Buffer): Promise<void> {
    const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(target) ?? [];
    const socket = await this.#open(host, Number(port));
    if (socket === null) {
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    this.#count(head.length);
    if (head.length > 0) socket.write(head);
    client.on('data', ({ length }: Buffer) => this.#count(length));
    socket.setTimeout(TUNNEL_IDLE_MS, () => socket.destroy());
    client.pipe(socket).pipe(client);
    client.on('close', () => socket.destroy());
    socket.on('close', () => client.destroy());
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null;
    const isPlain = url !== null && url.protocol === 'http:' && url.username === '' && url.password === '';
    const socket = isPlain ? await this.#open(url.hostname, Number(url.port || HTTP_PORT)) : null;
    if (url === null || socket === null) {
      response.writeHead(502, { 'Content-Length': 0 }).end();
      return;
    }
    const headers = Object.entries(incoming.headersDistinct).filter(([name]) => !HOP_BY_HOP.has(name));
    const outgoing = request({
      createConnection: () => socket,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...(Object.fromEntries(headers) as Record<string, string[]>),
        host: url.host,
        connection: 'close',
      },
    });
    outgoing.on('response', (answer) => {
      const kept = Object.entries(answer.headersDistinct).filter(([name]) => !HOP_BY_HOP.has(name));
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept) as Record<string, string[]>);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => socket.destroy());
    incoming.on('data', ({ length }: Buffer) => this.#count(length));
    incoming.pipe(outgoing);
  }

  /** Opens a connection that counts; null if it is refused, at a time that does not depend on the reason. */
  async #open(host: string, port: number): Promise<Socket | null> {
    const begun = performance.now();
    this.#connections += 1;
    if (this.#connections > this.#connectionsMax) this.#reach('connections');
    if (this.#limit !== null) return null;
    const isAllowed = this.#hosts?.includes(host) ?? true;
    const opened: Opened = isAllowed ? await this.#guard.open(host, port) : this.#guard.refuse('hosts');
    const target = `${host}:${port}`;
    if ('refused' in opened) {
      // A name without an address counts as well: a page must not tell it from one of a private network.
      if (opened.refused !== 'connect') this.#blocked += 1;
      this.#refusals.set(target, opened.refused);
      const passed = performance.now() - begun;
      await delay(REFUSAL_STEP_MS - (passed % REFUSAL_STEP_MS));
      return null;
    }
    this.#refusals.delete(target);
    this.#hold(opened.socket);
    opened.socket.on('data', ({ length }: Buffer) => this.#count(length));
    return opened.socket;
  }

  /** Takes a connection from the door. */
  #accept(socket: Socket): void {
    // Each has its counterpart.
    if (this.#sockets.size >= 2 * CONNECTIONS_AT_ONCE) socket.destroy();
    else this.#server.emit('connection', socket);
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // The run may have ended while the connection was being opened.
    if (this.#limit !== null || this.#isClosed) socket.destroy();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#bytesMax) this.#reach('bytes');
  }

  #reach(limit: EgressLimit): void {
    if (this.#limit !== null) return;
    this.#limit = limit;
    this.#closeConnections();
    this.#onLimit(limit);
  }

  #closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** The port of a URL, also where its scheme implies it. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? HTTP_PORT : HTTPS_PORT;
}
