// The program of a room, which browser-room.ts starts: one browser and what drives it, in a process without secrets. A page that
// fills the memory of its driver ends this process, and so its own run only.
import { createServer } from 'node:net';
import type { Failure } from '../../../schemas/checks/results.ts';
import type { RefusedConnection } from '../egress/guard.ts';
import { launchBrowser, type RunningBrowser } from './browser.ts';
import { drive, type RunPlan } from './drive.ts';
import { killGroup } from './processes.ts';
import type { BrowserProgram } from './program.ts';
import type { FromRoom, ToRoom } from './room-messages.ts';

/** Between two looks at the processes of the browser. */
const PROCESSES_MS = 250;

let running: RunningBrowser | null = null;
let ended = Promise.withResolvers<Failure>();
const asked = new Map<number, (refused: RefusedConnection | null) => void>();

process.on('message', (message: ToRoom) => {
  switch (message.type) {
    case 'launch':
      void launch(message.program, message.folder);
      return;
    case 'drive':
      void driveRun(message.plan, message.proxyUrl);
      return;
    case 'refused':
      asked.get(message.id)?.(message.refused);
      asked.delete(message.id);
      return;
    case 'end':
      ended.resolve(message.failure);
  }
});
// The runner has ended, however it did.
process.on('disconnect', leave);

async function launch(program: BrowserProgram, folder: string): Promise<void> {
  try {
    // All that this process loads, it loads before it changes its user, who may not read these files.
    await import('playwright-core');
    if (program.namespace) await openDoor();
    dropTo(program.user);
    running = await launchBrowser(program, folder);
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

/** Listens in the network namespace of this process, and leaves accepting to the runner: the only way out of here. */
async function openDoor(): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) =>
    process.send?.({ type: 'door' } satisfies FromRoom, server, () => resolve()),
  );
  server.close();
}

/** Gives up the rights of root for those of another user. */
function dropTo(user: BrowserProgram['user']): void {
  if (user === null) return;
  process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
}

async function driveRun(plan: RunPlan, proxyUrl: string): Promise<void> {
  if (running === null) throw new Error('driving a browser that was not started');
  ended = Promise.withResolvers<Failure>();
  const proxy = { url: proxyUrl, refusalOf };
  const telling = tellProcesses(running);
  const { findings, screenshot, isClean } = await drive(plan, {
    browser: running.browser,
    proxy,
    ended: ended.promise,
  });
  clearInterval(telling);
  tell({ type: 'driven', findings, screenshot: screenshot?.toString('base64') ?? null, isClean });
}

/** Tells the runner which processes it has to watch. One question at a time: a browser may be too busy to answer. */
function tellProcesses({ processIds }: RunningBrowser): NodeJS.Timeout {
  let isAsking = false;
  return setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    processIds()
      .then(
        (ids) => tell({ type: 'processes', ids: [...ids] }),
        () => undefined,
      )
      .finally(() => {
        isAsking = false;
      });
  }, PROCESSES_MS);
}

function refusalOf({ href: url }: URL): Promise<RefusedConnection | null> {
  const { promise, resolve } = Promise.withResolvers<RefusedConnection | null>();
  const id = nextId();
  asked.set(id, resolve);
  tell({ type: 'asks', id, url });
  return promise;
}

let lastId = 0;
function nextId(): number {
  lastId += 1;
  return lastId;
}

function tell(message: FromRoom): void {
  process.send?.(message);
}

function leave(): void {
  if (running !== null) killGroup(running.pid);
  process.exit();
}
