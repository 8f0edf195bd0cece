import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../gateway/http/server/logging.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { migrate } from '../../engines/cassandra/migrate.ts';
import { type Service, startService } from '../../service/service.ts';
import { readSettings } from '../../service/settings/settings.ts';
import { noteAnsweredRoutes } from '../../tools/service-process/answered-routes.ts';
import { clusterEnvironment } from '../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../tools/service-process/cluster-removal.ts';
import {
  freePort,
  isOnCluster,
  type ServiceProcessOptions,
} from '../../tools/service-process/service-process.ts';
import { noteAnsweredRefusals } from '../refusals/answered-refusals.ts';

/**
 * The real service in this process, on a data folder that outlives its restarts. It starts in a thirtieth of the time of a
 * process; what a kill, a signal or a variable of a process does needs a `ServiceProcess`. On the embedded engine its clock can
 * be moved; the servers of a cluster go by their own.
 */
export class ServiceInProcess {
  readonly url: string;
  readonly folder: string;
  /** The variables that it is started with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #clock = new MovedClock();
  readonly #lines: string[] = [];
  readonly #closers: (() => Promise<void>)[] = [];
  #service: Service | null = null;
  #endNotes = () => {};

  private constructor(folder: string, port: number, { limits, environment }: ServiceProcessOptions) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.environment = {
      SVC_DATA_FOLDER: join(folder, 'data'),
      PORT: String(port),
      SVC_WORKER_THREADS: '1',
      ...(isOnCluster() ? clusterEnvironment() : {}),
      ...(limits === undefined ? {} : { SVC_LIMITS_FILE: join(folder, 'limits.json') }),
      ...environment,
    };
    if (limits !== undefined) writeFileSync(join(folder, 'limits.json'), JSON.stringify(limits));
  }

  static async start(options: Omit<ServiceProcessOptions, 'under'> = {}): Promise<ServiceInProcess> {
    if (options.environment?.['NODE_OPTIONS'] !== undefined)
      throw new Error('preloading a module into a service that is not a process');
    const folder = mkdtempSync(join(tmpdir(), 'svc-in-process-'));
    const service = new ServiceInProcess(folder, options.port ?? (await freePort()), options);
    const { cluster } = readSettings(service.environment);
    if (cluster !== null) {
      service.onDispose(() => removeFromCluster(service.environment));
      await migrate(cluster.cassandra);
    }
    await service.restart();
    return service;
  }

  /** The one-time link of the first owner, as the data folder holds it. */
  get setUpLink(): string {
    const data = this.environment['SVC_DATA_FOLDER'] ?? join(this.folder, 'data');
    return readFileSync(join(data, 'set-up-link'), 'utf8').trim();
  }

  /** Every log line so far, over all its restarts. */
  get output(): string {
    return this.#lines.join('');
  }

  /** Lets time pass while the service is down, and starts it again. */
  async restartAfter(ms: number): Promise<void> {
    if (isOnCluster()) throw new Error('moving the clocks of servers');
    await this.stop();
    this.#clock.advance(ms);
    await this.restart();
  }

  /** Drains the service, so that everything that it holds is in its files. */
  async stop(): Promise<void> {
    await this.#service?.close();
    this.#service = null;
    this.#endNotes();
  }

  /** Starts the service again on the same data, after {@link stop}. */
  async restart(): Promise<void> {
    this.#endNotes = noteAnsweredRefusals();
    const failures: unknown[] = [];
    const settings = readSettings(this.environment);
    this.#service = await startService({
      settings,
      logger: createLogger({
        level: settings.logLevel,
        destination: { write: (line) => void this.#lines.push(line) },
      }),
      onFatal: (error) => void failures.push(error),
      ...(isOnCluster() ? {} : { clock: this.#clock }),
    });
    if (failures.length > 0) throw new Error('starting the service', { cause: failures[0] });
  }

  /** The files of the data folder, by their paths in it, that have this anywhere in them. The service must not run. */
  filesHolding(wanted: string | Buffer): string[] {
    const data = join(this.folder, 'data');
    return readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(data, name);
      return statSync(path).isFile() && readFileSync(path).includes(wanted);
    });
  }

  /** Called when it is disposed of, once it does not run any more; the last one first. */
  onDispose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Stops it and removes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    noteAnsweredRoutes(this.output);
    for (const close of this.#closers.splice(0).reverse()) await close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The time of day, and what a test has let pass besides. */
class MovedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
