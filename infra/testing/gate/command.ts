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

/** Runs a program in the root of the repository. When its time is over, it is ended with every process that it has started. */
export async function runCommand(
  [program, ...words]: readonly [string, ...string[]],
  { minutesMax, environment = {}, output }: CommandOptions,
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
  const timer = setTimeout(() => {
    ending = endTree(child.pid ?? 0, exit);
  }, minutesMax * 60_000);
  const [code] = await exit;
  clearTimeout(timer);
  const isLate = ending !== null;
  await ending;
  return { code, isLate, seconds: Math.round((performance.now() - begun) / 1_000) };
}

/** Ends a process and all that it has started, those in separate process groups included. */
async function endTree(pid: number, exit: Promise<unknown>): Promise<void> {
  const all = descendantsOf(pid);
  signal(all, 'SIGTERM');
  await Promise.race([exit, sleep(END_GRACE_MS, undefined, { ref: false })]);
  signal(all.flatMap(descendantsOf), 'SIGKILL');
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}
