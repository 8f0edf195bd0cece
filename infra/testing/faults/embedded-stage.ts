import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TcpProxy } from '../../engines/shared/tcp-proxy.fixture.ts';
import { freePort, ServiceProcess } from '../../tools/service-process/service-process.ts';
import { makeSmallDisk, mayMount, type SmallDisk } from '../e2e/operations/small-disk.fixture.ts';
import { SteppedClock } from '../e2e/operations/stepped-clock.fixture.ts';
import { readEmbedded } from './embedded-evidence.ts';
import type { FaultName } from './plan.ts';
import { areReady, keepLog, RUN_LIMITS, type Stage, type StageOptions, type Stored } from './stage.ts';

/** More than a run of hours stores. */
const DISK_MIB = 4_096;
const RESERVE_MIB = 2;

const SLOW_DISK = new URL('slow-disk-preload.fixture.ts', import.meta.url).href;
const SLOW_DISK_FILE = 'disk-milliseconds';

/** Files of the process grow to about half a MiB, or one, as the shell counts blocks; more is an error of the disk. */
const ON_FAILING_DISK = ['sh', '-c', 'ulimit -f 1024; exec "$0" "$@"'];

/** One process with everything in it, on its own disk and clock, and a way to it that can be broken. */
export class EmbeddedStage implements Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-faults-'));
  readonly leftOut: ReadonlyMap<FaultName, string> = mayMount()
    ? new Map()
    : new Map([['full disk', 'this user may not mount a disk']]);
  readonly disk: SmallDisk = makeSmallDisk(DISK_MIB);
  readonly clock = new SteppedClock();
  /** True if the next start is to meet errors of the disk. */
  isDiskFailing = false;
  #service: ServiceProcess | null = null;
  #way: TcpProxy | null = null;

  private constructor() {
    this.setDiskDelay(0);
  }

  /** Starts everything, or leaves nothing running. */
  static async open(options: StageOptions): Promise<EmbeddedStage> {
    const stage = new EmbeddedStage();
    try {
      await stage.#start(options);
      return stage;
    } catch (error) {
      await stage.close({ keep: false });
      throw error;
    }
  }

  get service(): ServiceProcess {
    if (this.#service === null) throw new Error('using a service that was not started');
    return this.#service;
  }

  /** The way of the customers to the service. */
  get way(): TcpProxy {
    if (this.#way === null) throw new Error('using a way that was not opened');
    return this.#way;
  }

  get gateways(): readonly string[] {
    return [`http://${this.way.address}`];
  }

  get setUpLink(): string {
    return this.service.setUpLink;
  }

  /** The folder in which the service stores everything. */
  get data(): string {
    return join(this.disk.folder, 'data');
  }

  /** Adds milliseconds to each wait of the service for its disk. */
  setDiskDelay(ms: number): void {
    writeFileSync(join(this.folder, SLOW_DISK_FILE), String(ms));
  }

  isReady(): Promise<boolean> {
    return areReady([this.service]);
  }

  read(): Promise<Stored> {
    return readEmbedded(this.data);
  }

  keepLogs(): void {
    keepLog(this.folder, 'service', this.service);
  }

  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await this.#service?.kill();
    if (keep) cpSync(this.data, join(this.folder, 'data'), { recursive: true });
    await this.#service?.dispose();
    await this.#way?.refuse();
    this.disk.remove();
    this.clock.remove();
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }

  async #start({ environment, report }: StageOptions): Promise<void> {
    const port = await freePort();
    this.#way = await TcpProxy.open(`127.0.0.1:${port}`);
    const { NODE_OPTIONS, ...clock } = this.clock.environment;
    this.#service = await ServiceProcess.start({
      limits: RUN_LIMITS,
      port,
      under: () => (this.isDiskFailing ? ON_FAILING_DISK : this.disk.under()),
      environment: {
        ...environment,
        ...clock,
        NODE_OPTIONS: `${NODE_OPTIONS} --import=${SLOW_DISK}`,
        SLOW_DISK_FILE: join(this.folder, SLOW_DISK_FILE),
        SVC_ENGINE: 'embedded',
        SVC_DATA_FOLDER: this.data,
        SVC_DISK_RESERVE_MIB: String(RESERVE_MIB),
        SVC_WORKER_THREADS: '1',
        BASE_URL: `http://${this.#way.address}`,
      },
    });
    report(`service: ready at ${this.#service.url}`);
  }
}
