import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteAnsweredRoutes } from './answered-routes.ts';
import { clusterEnvironment } from './cluster-environment.ts';
import { removeFromCluster } from './cluster-removal.ts';
import { ManagedProcess } from './managed-process.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
/** A module that a test run loads into each service, and the folder that it writes to. Both are unset outside of a run. */
const PRELOAD = process.env['SVC_TEST_PRELOAD'];
const PRELOAD_ARGUMENTS = PRELOAD === undefined ? [] : ['--import', PRELOAD];
const ANSWERED_REFUSALS = process.env['SVC_TEST_ANSWERED_REFUSALS'];
/** The preloaded modules are imported before the process itself turns on its compile cache. */
const PRELOAD_ENVIRONMENT =
  ANSWERED_REFUSALS === undefined
    ? {}
    : { SVC_TEST_ANSWERED_REFUSALS: ANSWERED_REFUSALS, NODE_COMPILE_CACHE: COMPILE_CACHE };

const OPS = fileURLToPath(new URL('../ops/main.ts', import.meta.url));

/** The longest duration of a start. On a busy machine, a cluster takes a minute to make its topics. */
const START_MS_MAX = 120_000;

export interface ServiceProcessOptions {
  /** Merged over the default limits. */
  readonly limits?: object;
  readonly environment?: Readonly<Record<string, string>>;
  /** The port to listen on. A free one by default. */
  readonly port?: number;
  /** Returns the program that starts the process in its place, with the process as its last arguments; called at each start. */
  readonly under?: () => readonly string[];
  /** Returns the folder of the sources that are started, called at each start; the caller migrates a cluster. By default these sources. */
  readonly sources?: () => string;
}

/** The real service as a separate process, on a free port and a data folder that outlives its restarts. */
export class ServiceProcess {
  readonly url: string;
  readonly folder: string;
  /** The variables that it is started with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #under: () => readonly string[];
  readonly #sources: () => string;
  readonly #process = new ManagedProcess();

  private constructor(folder: string, port: number, options: ServiceProcessOptions) {
    this.folder = folder;
    this.#under = options.under ?? (() => []);
    this.#sources = options.sources ?? (() => ROOT);
    this.url = `http://127.0.0.1:${port}`;
    const testedEngine = isOnCluster() ? clusterEnvironment() : null;
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      SVC_DATA_FOLDER: join(folder, 'data'),
      PORT: String(port),
      ...testedEngine,
      ...(options.limits === undefined ? {} : { SVC_LIMITS_FILE: join(folder, 'limits.json') }),
      ...options.environment,
    };
    // No other process uses a namespace that was made here.
    if (testedEngine !== null && options.environment?.['SVC_NAMESPACE'] === undefined) {
      this.onDispose(() => removeFromCluster(testedEngine));
    }
    if (options.limits !== undefined) {
      writeFileSync(join(folder, 'limits.json'), JSON.stringify(options.limits));
    }
  }

  /** Starts the service and waits until it is ready. */
  static async start(options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-e2e-'));
    const service = new ServiceProcess(folder, options.port ?? (await freePort()), options);
    if (options.sources === undefined) await service.#migrate();
    await service.restart();
    return service;
  }

  /** Everything the process has written so far, over all its restarts. */
  get output(): string {
    return this.#process.output;
  }

  /** The process that runs now, or null when none does. */
  get pid(): number | null {
    return this.#process.pid;
  }

  /** The end of the last started process, or null while it runs. */
  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  /** The one-time link of the first owner, as the data folder holds it. */
  get setUpLink(): string {
    const data = this.environment['SVC_DATA_FOLDER'] ?? join(this.folder, 'data');
    return readFileSync(join(data, 'set-up-link'), 'utf8').trim();
  }

  /** Starts the process again on the same data and waits until it is ready. */
  async restart(): Promise<void> {
    this.launch();
    await this.#process.untilReady(`${this.url}/readyz`, { name: 'service', timeoutMs: START_MS_MAX });
  }

  /** Starts the process again on the same data and waits for nothing. */
  launch(): ChildProcess {
    const start = join(this.#sources(), 'infra/start.js');
    const [program = process.execPath, ...args] = [
      ...this.#under(),
      process.execPath,
      ...PRELOAD_ARGUMENTS,
      // Sources of before have none.
      existsSync(start) ? start : join(this.#sources(), 'infra/main.ts'),
    ];
    return this.#process.launch([program, ...args], { ...PRELOAD_ENVIRONMENT, ...this.environment });
  }

  /** Kills the process as a power cut would: nothing of it runs any more when this resolves. */
  async kill(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  /** Asks it to drain and waits for its end. Resolves with the exit code. */
  async stop(): Promise<number | null> {
    return await this.#process.end('SIGTERM');
  }

  /** Called when it is disposed of, once it does not run any more; the last one first. */
  onDispose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Stops it and removes its data. */
  async dispose(): Promise<void> {
    await this.#process.end('SIGKILL');
    noteAnsweredRoutes(this.output);
    for (const close of this.#closers.splice(0).reverse()) await close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes the tables of a cluster; the embedded engine makes its own. */
  async #migrate(): Promise<void> {
    if (this.environment['SVC_ENGINE'] !== 'cluster') return;
    const child = spawn(process.execPath, [OPS, 'migrate'], {
      env: this.environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error('migrating the schema');
  }
}

/** True if `SVC_TEST_ENGINE=cluster` chose a cluster for this run of the tests. */
export function isOnCluster(): boolean {
  return process.env['SVC_TEST_ENGINE'] === 'cluster';
}

/**
 * Ports below those that systems give to outgoing connections (Linux: from 32768 on). One of those could take the port of
 * a server that is down for a moment, and the server would not start again.
 */
const PORTS = { from: 20_000, to: 32_000 } as const;
const PORT_ATTEMPTS_MAX = 100;

/** A port on which no process listened a moment ago, and that no outgoing connection gets. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error('looking for a free port');
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
