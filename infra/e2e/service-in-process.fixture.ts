import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../gateway/logging.ts';
import { ManualClock } from '../contracts/support.ts';
import { type Service, startService } from '../service/service.ts';
import { readSettings } from '../service/settings.ts';
import { freePort } from './service-process.ts';

/** The real service in this process, by a clock that is moved by hand, on a data folder that outlives its restarts. */
export class ServiceInProcess {
  readonly clock = new ManualClock();
  readonly url: string;
  readonly folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #lines: string[] = [];
  #service: Service | null = null;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = {
      SVC_DATA_FOLDER: join(folder, 'data'),
      PORT: String(port),
      SVC_LIMITS_FILE: join(folder, 'limits.json'),
      SVC_WORKER_THREADS: '1',
    };
  }

  /** Starts the service with these limits merged over the default ones. */
  static async start(limits: object): Promise<ServiceInProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-in-process-'));
    writeFileSync(join(folder, 'limits.json'), JSON.stringify(limits));
    const service = new ServiceInProcess(folder, await freePort());
    await service.#start();
    return service;
  }

  /** The one-time link of the first owner, as the data folder holds it. */
  get setUpLink(): string {
    return readFileSync(join(this.folder, 'data', 'set-up-link'), 'utf8').trim();
  }

  /** Every log line so far. */
  get output(): string {
    return this.#lines.join('');
  }

  /** Lets time pass while the service is down, and starts it again. */
  async restartAfter(ms: number): Promise<void> {
    await this.stop();
    this.clock.advance(ms);
    await this.#start();
  }

  /** Drains the service, so that everything that it holds is in its files. */
  async stop(): Promise<void> {
    await this.#service?.close();
    this.#service = null;
  }

  /** The files of the data folder that have this text anywhere in their bytes. The service must not run. */
  filesHolding(text: string): string[] {
    const data = join(this.folder, 'data');
    return readdirSync(data).filter((name) => readFileSync(join(data, name)).includes(text));
  }

  /** Stops it and removes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const { clock } = this;
    const failures: unknown[] = [];
    this.#service = await startService({
      settings: readSettings(this.#environment),
      logger: createLogger({
        level: 'debug',
        destination: { write: (line) => void this.#lines.push(line) },
      }),
      onFatal: (error) => void failures.push(error),
      clock,
    });
    if (failures.length > 0) throw new Error('starting the service', { cause: failures[0] });
  }
}
