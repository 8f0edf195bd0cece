import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from '../../../processors/checks/runner/descendants.fixture.ts';

export const ROOT = join(import.meta.dirname, '../../..');

/** The time in which what is ended says what it was doing. */
const END_GRACE_MS = 10_000;

export interface CommandOptions {
  readonly minutesMax: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Descriptor of the file that takes the output; absent: the output of this process. */
  readonly output?: number;
}

export interface EndedCommand {
  /** Null after a signal. */
  readonly code: number | null;
  readonly isLate: boolean;
  readonly seconds: number;
}

/** Aborts with the first Ctrl+C or SIGTERM, so that the program can end what it has started. A second one ends the program. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Runs a program in the root of the repository. When its time is over or the signal comes, it ends with every process that it has started. */
export async function runCommand(
  [program, ...words]: readonly [string, ...string[]],
  { minutesMax, signal, environment = {}, output }: CommandOptions,
): Promise<EndedCommand> {
  const begun = performance.now();
  const stdout = output ?? 'inherit';
  const child = spawn(program, words, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', stdout, stdout],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let ending: Promise<void> | null = null;
  let isLate = false;
  const end = () => {
    ending ??= endTree(child.pid ?? 0, exit);
  };
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, minutesMax * 60_000);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const [code] = await exit;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  await ending;
  return { code, isLate, seconds: Math.round((performance.now() - begun) / 1_000) };
}

/** Ends a process and all that it has started, those in separate process groups included. */
async function endTree(pid: number, exit: Promise<unknown>): Promise<void> {
  const all = descendantsOf(pid);
  send(all, 'SIGTERM');
  await Promise.race([exit, sleep(END_GRACE_MS, undefined, { ref: false })]);
  send(all.flatMap(descendantsOf), 'SIGKILL');
}

function send(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}
