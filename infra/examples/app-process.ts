import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ManagedProcess } from '../tools/service-process/managed-process.ts';
import type { AppEnvironment } from './prepare.ts';

const MAIN = fileURLToPath(new URL('./customer-app/main.ts', import.meta.url));

const START_MS_MAX = 120_000;

/** The example application as a separate process, on a data file that outlives its restarts. */
export class AppProcess {
  readonly url: string;
  readonly #folder: string;
  readonly #isTemporary: boolean;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #process = new ManagedProcess();

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
    return this.#process.output;
  }

  /** Starts it, on the same data if it ran before, and waits until it answers. */
  async start(): Promise<void> {
    this.#process.launch([process.execPath, MAIN], this.#environment);
    await this.#process.untilReady(`${this.url}/livez`, { name: 'example', timeoutMs: START_MS_MAX });
  }

  /** Kills it as a power cut would. */
  async kill(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  /** Resolves with the exit code. */
  async stop(): Promise<number | null> {
    return await this.#process.end('SIGTERM');
  }

  async dispose(): Promise<void> {
    await this.#process.end('SIGKILL');
    if (this.#isTemporary) rmSync(this.#folder, { recursive: true, force: true });
  }
}
