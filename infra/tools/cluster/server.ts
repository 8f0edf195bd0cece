import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EngineName, HOST } from './addresses.ts';
import { commandOf } from './process-table.ts';

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** The particulars of one server. Everything else is the same for all three. */
export interface ServerSpec {
  readonly name: EngineName;
  readonly address: string;
  /** Every port that the server listens on. */
  readonly ports: readonly number[];
  /** Configuration, data and pid file. Part of the command line, by which the process is recognised. */
  readonly folder: string;
  readonly logFile: string;
  /** Configuration files: their text by their name in the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Makes sure that everything is there that the server needs, and says how it is started. May be repeated. */
  readonly prepare: () => Promise<Command>;
  /**
   * Asks the server something that only a working one can answer.
   *
   * @returns the version that it states, or null where its protocol does not tell.
   * @throws {Error} while it does not answer.
   */
  readonly probe: () => Promise<string | null>;
}

const START_MS_MAX = 120_000;
/** Kafka and Cassandra write what they hold before they end. */
const STOP_MS_MAX = 30_000;
const POLL_INTERVAL_MS = 50;
const LOG_BYTES_MAX = 16 * 1024 * 1024;
const LOG_LINES_SHOWN = 20;

/**
 * A server in a separate process, which outlives the process that starts it. Its pid is kept in its folder, so any process
 * that knows the folder can stop it, kill it or start it again.
 */
export class Server {
  readonly spec: ServerSpec;
  readonly #pidFile: string;

  constructor(spec: ServerSpec) {
    this.spec = spec;
    this.#pidFile = join(spec.folder, 'pid');
  }

  /** The process, or null when none runs. A pid that the system has given to another program is not ours. */
  get pid(): number | null {
    const pid = Number(readIfThere(this.#pidFile));
    return pid > 0 && (commandOf(pid) ?? '').includes(this.spec.folder) ? pid : null;
  }

  /**
   * Starts the server unless it runs, and waits until it answers.
   *
   * @returns the version that it states.
   * @throws {Error} when it runs with other settings, when a port is taken, and when it ends or does not answer in time.
   */
  async start(): Promise<string | null> {
    const { name, files, folder, ports } = this.spec;
    const configured = Object.entries(files).every(
      ([file, text]) => readIfThere(join(folder, file)) === text,
    );
    if (this.pid === null) {
      for (const [file, text] of Object.entries(files)) write(join(folder, file), text);
      const command = await this.spec.prepare();
      for (const port of ports) await refuseTakenPort(name, port);
      this.#spawn(command);
    } else if (!configured) {
      throw new Error(
        `starting ${name}: it runs with other settings; stop it first (npm run cluster -- down)`,
      );
    }
    return await this.#untilItAnswers();
  }

  /**
   * Sends a signal. After SIGKILL, nothing of the process runs any more when this resolves.
   *
   * @throws {Error} when the process does not run.
   */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const pid = this.pid;
    if (pid === null) throw new Error(`sending ${signal} to ${this.spec.name}: it does not run`);
    process.kill(pid, signal);
    if (signal === 'SIGKILL') await this.#untilItEnds();
  }

  /** Stops the server, by force if it does not end by itself in time. Nothing happens when it does not run. */
  async stop(): Promise<void> {
    if (this.pid === null) return;
    // A server that was stopped by SIGSTOP hears nothing else until it continues.
    await this.kill('SIGCONT');
    await this.kill('SIGTERM');
    if (!(await this.#untilItEnds())) await this.kill('SIGKILL');
    rmSync(this.#pidFile, { force: true });
  }

  /** Stops the server if it runs, starts it on the same data, and waits until it answers. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The end of the log. */
  lastLines(count: number = LOG_LINES_SHOWN): string {
    return readIfThere(this.spec.logFile).trimEnd().split('\n').slice(-count).join('\n');
  }

  #spawn([program, ...args]: Command): void {
    const { folder, logFile } = this.spec;
    mkdirSync(dirname(logFile), { recursive: true });
    const tooLong = (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX;
    const log = openSync(logFile, tooLong ? 'w' : 'a');
    try {
      const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', log, log] });
      // A program that cannot be started has no pid; the wait for its answer reports that it does not run.
      child.once('error', (error) => writeFileSync(logFile, `${error.message}\n`, { flag: 'a' }));
      child.unref();
      writeFileSync(this.#pidFile, String(child.pid ?? 0));
    } finally {
      closeSync(log);
    }
  }

  async #untilItAnswers(): Promise<string | null> {
    try {
      return await firstAnswer(this.spec, () => this.pid === null);
    } catch (error) {
      const { name, logFile } = this.spec;
      throw new Error(`starting ${name}: see the end of ${logFile}:\n${this.lastLines()}`, { cause: error });
    }
  }

  async #untilItEnds(): Promise<boolean> {
    const deadline = Date.now() + STOP_MS_MAX;
    while (this.pid !== null) {
      if (Date.now() > deadline) return false;
      await pause(POLL_INTERVAL_MS);
    }
    return true;
  }
}

/**
 * Asks a server until it answers, however it was started.
 *
 * @param hasEnded says that there will be no answer any more
 * @returns the version that it states, or null where its protocol does not tell.
 * @throws {Error} when it does not answer in time, or has ended.
 */
export async function firstAnswer(
  { name, probe }: Pick<ServerSpec, 'name' | 'probe'>,
  hasEnded: () => boolean = () => false,
): Promise<string | null> {
  const deadline = Date.now() + START_MS_MAX;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (hasEnded()) throw new Error(`waiting for ${name}: it has ended`, { cause: error });
      if (Date.now() > deadline) throw new Error(`waiting for ${name}: no answer`, { cause: error });
    }
    await pause(POLL_INTERVAL_MS);
  }
}

/** A process that was killed is gone from the process table a moment before the system has closed its ports. */
const PORT_FREED_MS_MAX = 3_000;

/** Another program at the port would be taken for the server, or keep it from starting with an obscure error. */
async function refuseTakenPort(name: EngineName, port: number): Promise<void> {
  const deadline = Date.now() + PORT_FREED_MS_MAX;
  for (;;) {
    try {
      return await tryPort(port);
    } catch (error) {
      if (Date.now() > deadline) {
        const variable = `SVC_CLUSTER_${name.toUpperCase()}_PORT`;
        const message = `starting ${name}: port ${port} is taken; stop what uses it or set ${variable}`;
        throw new Error(message, { cause: error });
      }
    }
    await pause(POLL_INTERVAL_MS);
  }
}

/** Listens on a port for a moment. */
async function tryPort(port: number): Promise<void> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ port, host: HOST, exclusive: true }, resolve);
  await promise;
  await new Promise((closed) => server.close(closed));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
