import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;

/** A process that is started again after its end, with everything that it has written so far. */
export class ManagedProcess {
  #child: ChildProcess | null = null;
  #output = '';

  /** Standard output and errors, over all its restarts. */
  get output(): string {
    return this.#output;
  }

  /** The process that runs now, or null when none does. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The end of the last started process, or null while it runs. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** Starts a program and waits for nothing. */
  launch([program, ...args]: readonly [string, ...string[]], environment: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    return child;
  }

  /**
   * Waits until an address answers with a success.
   *
   * @throws {Error} with the output, if the process ends before or the time is over
   */
  async untilReady(address: string, { name, timeoutMs }: { name: string; timeoutMs: number }): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await answers(address))) {
      if (hasEnded(this.#child) || Date.now() > deadline)
        throw new Error(`starting the ${name}:\n${this.#output}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Sends a signal and waits for the end. Resolves with the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (child === null || hasEnded(child)) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  }
}

function hasEnded(child: ChildProcess | null): boolean {
  return child !== null && (child.exitCode !== null || child.signalCode !== null);
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}
