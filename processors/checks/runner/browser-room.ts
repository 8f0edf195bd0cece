// Starts and ends: rooms, each a process that drives one browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { getPriority } from 'node:os';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { type Failure, nothingFound } from '../../../schemas/checks/results.ts';
import type { EgressProxy, ProxyDoor } from '../egress/proxy.ts';
import { LAUNCH_TIMEOUT_MS } from './browser.ts';
import type { Driven, RunPlan } from './drive.ts';
import { watchMemory } from './memory-watch.ts';
import { unshareWords } from './namespace.ts';
import { killGroup, killProcessesOf } from './processes.ts';
import type { BrowserProgram } from './program.ts';
import { RoomChannel } from './room-channel.ts';
import { makeRoomFolder, type RoomFolder, removeRoomFolder } from './room-folders.ts';
import {
  CHANNEL_FD,
  type FromRoom,
  fromRoomSchema,
  MESSAGE_BYTES_MAX,
  type ToRoom,
} from './room-messages.ts';

/** The nice value of a room: beside something else that computes, it gets a quarter of a processor. */
export const ROOM_PRIORITY = 5;

/** The first process of a namespace, by its id there. */
const FIRST_ID = 1;

const PROGRAM = fileURLToPath(new URL('./room.ts', import.meta.url));
/** JavaScript heap of the process that drives a browser. */
const DRIVER_HEAP_MAX_MB = 256;
/** From the start of the process to a browser that answers. */
const OPEN_TIMEOUT_MS = LAUNCH_TIMEOUT_MS + 10_000;
/** The time in which a browser without a run answers. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Messages of one run. Its longest time has room for 2,000 looks at its processes. */
const MESSAGES_A_RUN_MAX = 10_000;
/** The time in which a run that was ended reports what it has found. */
const END_GRACE_MS = 5_000;

export interface RoomRun {
  readonly plan: RunPlan;
  readonly proxy: EgressProxy;
  /** Private memory of the browser; absent: the default of the memory watch. */
  readonly memoryMaxMb?: number;
  /** The failure with which something outside of the room ends the run. */
  readonly ended: Promise<Failure>;
  /** Milliseconds from now after which the room counts as hanging. */
  readonly timeoutMs: number;
}

/** A browser and the process that drives it. It is used by one run at a time. */
export class BrowserRoom {
  readonly #child: ChildProcess;
  readonly #channel: RoomChannel;
  readonly #folder: RoomFolder;
  /** True: only the first process of the room has an id that means something to this process. */
  readonly #hasOwnIds: boolean;
  readonly #left: Promise<void>;
  #onMessage: (message: FromRoom) => void = () => {};
  #messages = 0;
  #browserPid: number | null = null;
  #door: Door | null = null;
  #isOpen = true;

  private constructor(child: ChildProcess, { namespaces }: BrowserProgram, folder: RoomFolder) {
    this.#child = child;
    this.#hasOwnIds = namespaces === 'network and processes';
    this.#folder = folder;
    this.#left = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    // A browser may hang, and so outlive what drives it.
    void this.#left.then(() => this.kill());
    this.#channel = new RoomChannel(child.stdio[CHANNEL_FD] as Duplex, {
      lineBytesMax: MESSAGE_BYTES_MAX,
      onMessage: (message) => this.#receive(message),
      onBroken: () => this.kill(),
    });
  }

  /**
   * Starts a browser in a separate room.
   *
   * @param signal ends the room if it is aborted before the browser answers
   * @throws {Error} with the reason for operators, if it does not start
   */
  static async open(program: BrowserProgram, signal?: AbortSignal, entry = PROGRAM): Promise<BrowserRoom> {
    const folder = makeRoomFolder(program.user);
    let room: BrowserRoom | null = null;
    const onAbort = () => room?.kill();
    try {
      room = new BrowserRoom(startProgram(program, entry, folder), program, folder);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      const opened = room.#launch(program);
      await withTimeout(OPEN_TIMEOUT_MS, opened, () => new Error('The browser did not answer in time.'));
      return room;
    } catch (error) {
      await (room?.close() ?? removeRoomFolder(folder.path).catch(() => undefined));
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** False once it has ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The first process of the room. It drives the browser, unless the room has a namespace of processes: then its child does. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The way out of its network namespace; null: it shares the network of this process. */
  get door(): ProxyDoor | null {
    return this.#door;
  }

  /** Returns true if the browser answers. Not to be called during a run. Never rejects. */
  async answers(): Promise<boolean> {
    const answered = new Promise<boolean>((resolve) => {
      this.#onMessage = (message) => message.type === 'processes' && resolve(true);
      void this.#left.then(() => resolve(false));
    });
    this.#messages = 0;
    this.#tell({ type: 'look' });
    return await withTimeout(ANSWER_TIMEOUT_MS, answered, () => new Error('late')).catch(() => false);
  }

  /** Drives the browser through a run. Never rejects. */
  async drive({ plan, proxy, memoryMaxMb, ended, timeoutMs }: RoomRun): Promise<Driven> {
    let cause: Failure | null = null;
    const end = (failure: Failure) => {
      cause ??= failure;
      this.#tell({ type: 'end', failure });
      setTimeout(() => this.kill(), END_GRACE_MS).unref();
    };
    void ended.then(end);
    let processes: readonly number[] = [];
    const stopWatch = watchMemory({
      // The namespace of the first process, which it has made for the others.
      proc: this.#hasOwnIds ? `/proc/${this.pid}/root/proc` : '/proc',
      driver: this.#hasOwnIds ? FIRST_ID : this.pid,
      browser: () => processes,
      ...(memoryMaxMb !== undefined && { memoryMaxMb }),
      onExceeded: () => {
        end(OUT_OF_MEMORY);
        this.kill();
      },
    });
    const driven = Promise.withResolvers<Driven>();
    void this.#left.then(() => driven.resolve(lost(cause ?? OVERWHELMED)));
    this.#onMessage = (message) => {
      if (message.type === 'asks') {
        const refused = proxy.refusalOf(new URL(message.origin));
        this.#tell({ type: 'refused', id: message.id, refused });
      }
      if (message.type === 'processes') processes = message.ids;
      if (message.type === 'driven') driven.resolve(reported(message, cause));
    };
    this.#messages = 0;
    this.#tell({ type: 'drive', plan, access: proxy.access });
    const { findings, ...rest } = await withTimeout(timeoutMs, driven.promise, () => new Error('late')).catch(
      () => lost(cause ?? HUNG),
    );
    stopWatch();
    this.#onMessage = () => {};
    return { ...rest, findings: { ...findings, blockedRequests: proxy.blocked } };
  }

  /** Kills every process of the room at once. */
  kill(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
    if (this.#browserPid !== null) killGroup(this.#browserPid);
  }

  /** Ends the room and removes its folder. Never rejects. */
  async close(): Promise<void> {
    this.kill();
    this.#door?.close();
    this.#channel.close();
    await this.#left;
    // The browser has put some into other groups.
    killProcessesOf(this.#folder.path, this.#folder.home);
    await removeRoomFolder(this.#folder.path).catch(() => undefined);
  }

  async #launch(program: BrowserProgram): Promise<void> {
    const left = this.#left.then(() => {
      throw new Error('The process that drives the browser has ended.');
    });
    left.catch(() => undefined);
    if (program.namespaces !== 'none') this.#door = await Promise.race([takeDoor(this.#child), left]);
    const launched = new Promise<number>((resolve, reject) => {
      this.#onMessage = (message) => {
        if (message.type === 'launched') resolve(message.pid);
        if (message.type === 'failed') reject(new Error(message.reason));
      };
    });
    this.#tell({ type: 'launch', program, folder: this.#folder.home });
    const browser = await Promise.race([launched, left]);
    // The processes of a namespace end with it.
    if (!this.#hasOwnIds) this.#browserPid = browser;
  }

  #receive(message: unknown): void {
    this.#messages += 1;
    const parsed = fromRoomSchema.safeParse(message);
    // What a room says besides that was made up by a page that has broken into it.
    if (!parsed.success || this.#messages > MESSAGES_A_RUN_MAX) this.kill();
    else if (this.#isOpen) this.#onMessage(parsed.data);
  }

  #tell(message: ToRoom): void {
    this.#channel.send(message);
  }
}

/** Takes the listening socket of a room, and closes the channel that it came through: no browser may ever write to that. */
async function takeDoor(child: ChildProcess): Promise<Door> {
  const handle = await new Promise<unknown>((resolve) => {
    child.once('message', (_message, sent) => resolve(sent));
  });
  child.disconnect();
  if (!(handle instanceof Server)) throw new Error('The network namespace has no door.');
  return new Door(handle);
}

/** Starts the program of a room: without a variable of this process, so without a secret, and as the leader of a group. */
function startProgram({ namespaces }: BrowserProgram, entry: string, folder: RoomFolder): ChildProcess {
  // Without a debugger: a page that has broken into the browser could open it, and use it.
  const options = ['--disable-sigusr1', `--max-old-space-size=${DRIVER_HEAP_MAX_MB}`];
  // The browser inherits it. What a page computes must not keep the service waiting for a processor.
  const lower = String(Math.max(0, ROOM_PRIORITY - getPriority()));
  const node = [process.execPath, ...options, entry, folder.path];
  const cache = getCompileCacheDir();
  return spawn('nice', ['-n', lower, ...unshareWords(namespaces), ...node], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...(namespaces === 'none' ? [] : (['ipc'] as const))],
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder.home,
      ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
    },
  });
}

/** A socket that listens in a network namespace. Runs attach their proxies to it, one after the other. */
class Door implements ProxyDoor {
  readonly #server: Server;
  #accept: ((socket: Socket) => void) | null = null;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      if (this.#accept === null) socket.destroy();
      else this.#accept(socket);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  attach(accept: ((socket: Socket) => void) | null): void {
    this.#accept = accept;
  }

  close(): void {
    this.#accept = null;
    this.#server.close();
  }
}

/** The result of a run that ended with its room. */
function lost(failure: Failure): Driven {
  return { findings: nothingFound(failure), screenshot: null, isClean: false };
}

/** The result of a run as its room reports it. If the run was ended from outside, that is why it failed. */
function reported(
  { findings, screenshot, isClean }: FromRoom & { type: 'driven' },
  cause: Failure | null,
): Driven {
  const failure = findings.failure === null ? null : (cause ?? findings.failure);
  return {
    findings: { ...findings, failure },
    screenshot: screenshot === null ? null : Buffer.from(screenshot, 'base64'),
    isClean: isClean && cause === null,
  };
}

const OUT_OF_MEMORY: Failure = {
  reason: 'crash',
  message: 'The page took more memory than a run allows. Check for unbounded memory growth.',
};

const OVERWHELMED: Failure = {
  reason: 'crash',
  message:
    'The page sent more than the browser could report. Look for endless output, for example to the console.',
};

const HUNG: Failure = { reason: 'crash', message: 'The browser stopped answering on this page.' };
