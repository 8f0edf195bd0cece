import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AppEnvironment } from './prepare.ts';

const MAIN = fileURLToPath(new URL('./customer-app/main.ts', import.meta.url));

const START_MS_MAX = 30_000;
const LOOK_EVERY_MS = 20;

/** The example application as a separate process, on a data file that outlives its restarts. */
export class AppProcess {
  readonly url: string;
  readonly #folder: string;
  readonly #isTemporary: boolean;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  #output = '';

  /** @param folder where its data file is; absent: in a temporary folder, which goes with {@link dispose} */
  constructor(port: number, environment: AppEnvironment, folder?: string) {
    this.#isTemporary = folder === undefined;
    this.#folder = folder ?? mkdtempSync(join(tmpdir(), 'svc-example-'));
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = {
      PATH: process.env['PATH'],
      APP_PORT: String(port),
      APP_DATA_FILE: join(this.#folder, 'app.db'),
      APP_SUBJECT_SECRET: randomBytes(32).toString('hex'),
      ...environment,
    };
  }

  /** Everything that the process has written so far. */
  get output(): string {
    return this.#output;
  }

  /** Starts it, on the same data if it ran before, and waits until it answers. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    const deadline = Date.now() + START_MS_MAX;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
        throw new Error(`starting the example:\n${this.#output}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Kills it as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Resolves with the exit code. */
  async stop(): Promise<number | null> {
    return await this.#end('SIGTERM');
  }

  async dispose(): Promise<void> {
    await this.#end('SIGKILL');
    if (this.#isTemporary) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/livez`)).ok;
    } catch {
      return false;
    }
  }
}
