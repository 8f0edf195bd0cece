// The program of a room, which browser-room.ts starts: one browser and what drives it, in a process without secrets. A page that
// fills the memory of its driver ends this process, and so its own run only.
import { createServer, Socket } from 'node:net';
// All that this process loads, it loads before it changes its user, who may not be able to read these files.
import { chromium } from 'playwright-core';
import type { Failure } from '../../../schemas/checks/results.ts';
import type { RefusedConnection } from '../egress/guard.ts';
import type { ProxyAccess } from '../egress/proxy.ts';
import { launchBrowser, type RunningBrowser } from './browser.ts';
import { drive, type RunPlan } from './drive.ts';
import { killGroup } from './processes.ts';
import type { BrowserProgram } from './program.ts';
import { RoomChannel } from './room-channel.ts';
import {
  CHANNEL_FD,
  type FromRoom,
  MESSAGE_BYTES_MAX,
  ORIGIN_CHARACTERS_MAX,
  type ToRoom,
} from './room-messages.ts';

/** Between two looks at the processes of the browser. */
const PROCESSES_MS = 250;

let running: RunningBrowser | null = null;
let isDriving = false;
let ended = Promise.withResolvers<Failure>();
const asked = new Map<number, (refused: RefusedConnection | null) => void>();

const stream = new Socket({ fd: CHANNEL_FD });
// The runner has ended, however it did.
stream.on('close', leave);
const channel = new RoomChannel(stream, {
  lineBytesMax: MESSAGE_BYTES_MAX,
  onMessage: (message) => follow(message as ToRoom),
  onBroken: leave,
});
if (process.send !== undefined) openDoor();

function follow(message: ToRoom): void {
  switch (message.type) {
    case 'launch':
      void launch(message.program, message.folder);
      return;
    case 'look':
      if (running !== null) void tellProcesses(running);
      return;
    case 'drive':
      void driveRun(message.plan, message.access);
      return;
    case 'refused':
      asked.get(message.id)?.(message.refused);
      asked.delete(message.id);
      return;
    case 'end':
      ended.resolve(message.failure);
  }
}

async function launch(program: BrowserProgram, folder: string): Promise<void> {
  try {
    dropTo(program.user);
    running = await launchBrowser(chromium, program, folder);
    // A run under way reports that its browser has ended. Without one, the room ends too, and the next run gets another.
    running.browser.once('disconnected', () => !isDriving && leave());
    tell({ type: 'launched', pid: running.pid });
  } catch (error) {
    tell({ type: 'failed', reason: reasonOf(error) });
  }
}

/** The words of a browser that did not start, without its hundred arguments. */
function reasonOf(error: unknown): string {
  const lines = error instanceof Error ? error.message.split('\n') : [];
  return lines.filter((line) => !line.includes('<launching>') && /[a-z]/.test(line)).join('\n');
}

/**
 * Listens in the network namespace of this process, and leaves accepting to the runner: the only way out of here. Node's channel
 * carries the listening socket, and closes with it, before there is a browser.
 */
function openDoor(): void {
  const server = createServer();
  server.listen(0, '127.0.0.1', () => process.send?.({}, server, () => server.close()));
}

/** Gives up the rights of root for those of another user. */
function dropTo(user: BrowserProgram['user']): void {
  if (user === null) return;
  process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
}

async function driveRun(plan: RunPlan, access: ProxyAccess): Promise<void> {
  if (running === null) throw new Error('driving a browser that was not started');
  const { browser, userAgent } = running;
  isDriving = true;
  ended = Promise.withResolvers<Failure>();
  const stopTelling = keepTelling(running);
  const proxy = { access, refusalOf };
  const driven = await drive(plan, { browser, userAgent, proxy, ended: ended.promise });
  stopTelling();
  isDriving = false;
  const { findings, screenshot, isClean } = driven;
  tell({ type: 'driven', findings, screenshot: screenshot?.toString('base64') ?? null, isClean });
}

/** Tells the runner again and again which processes it has to watch. Returns the function that stops it. */
function keepTelling(of: RunningBrowser): () => void {
  let isAsking = false;
  const timer = setInterval(() => {
    // One question at a time: a browser may be too busy to answer.
    if (isAsking) return;
    isAsking = true;
    void tellProcesses(of).finally(() => {
      isAsking = false;
    });
  }, PROCESSES_MS);
  return () => clearInterval(timer);
}

async function tellProcesses({ processIds }: RunningBrowser): Promise<void> {
  const ids = await processIds().catch(() => null);
  if (ids !== null) tell({ type: 'processes', ids: [...ids] });
}

async function refusalOf({ protocol, origin }: URL): Promise<RefusedConnection | null> {
  // The proxy knows no others.
  if (!/^https?:$/.test(protocol) || origin.length > ORIGIN_CHARACTERS_MAX) return null;
  const { promise, resolve } = Promise.withResolvers<RefusedConnection | null>();
  const id = nextId();
  asked.set(id, resolve);
  tell({ type: 'asks', id, origin });
  return await promise;
}

let lastId = 0;
function nextId(): number {
  lastId += 1;
  return lastId;
}

function tell(message: FromRoom): void {
  channel.send(message);
}

function leave(): void {
  if (running !== null) killGroup(running.pid);
  process.exit();
}
