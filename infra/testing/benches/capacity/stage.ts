import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from '../../../tools/cluster/addresses.ts';
import { type Cluster, startCluster, stopCluster } from '../../../tools/cluster/cluster.ts';
import { readClusterSettings } from '../../../tools/cluster/settings.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { ServerProcess } from '../events/server-process.ts';
import { say } from '../report.ts';
import { cpuMicroseconds } from './cpu-time.ts';

/** CPU time in microseconds of the process that is measured, and of each server. */
export type Spent = Readonly<Record<'service' | EngineName, number>>;

/**
 * Servers for this benchmark alone: on shared servers, the figures would include the work of others. A quick run has none, and
 * its service keeps everything itself.
 */
export class Stage {
  readonly #cluster: Cluster | null;
  readonly #folder: string;

  private constructor(cluster: Cluster | null, folder: string) {
    this.#cluster = cluster;
    this.#folder = folder;
  }

  static async open({ quick }: { readonly quick: boolean }): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-capacity-'));
    if (quick) return new Stage(null, folder);
    const ports = { kafka: await freePort(), cassandra: await freePort(), redis: await freePort() };
    const { cache } = readClusterSettings(process.env);
    const cluster = await startCluster({ folder, ports, cache, report: say });
    for (const name of ENGINE_NAMES) process.env[ENGINE_VARIABLES[name]] = cluster.addresses[name];
    return new Stage(cluster, folder);
  }

  /** Starts the process that is measured, on fresh data. */
  async service(): Promise<ServerProcess> {
    return await ServerProcess.start({ engine: this.#cluster === null ? 'embedded' : 'cluster' });
  }

  /** Runs the work and returns the CPU time that the service and each server spent meanwhile. */
  async spentDuring(service: ServerProcess, work: () => Promise<unknown>): Promise<Spent> {
    const before = this.#spent(service);
    await work();
    const after = this.#spent(service);
    const names = Object.keys(after) as (keyof Spent)[];
    return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Spent;
  }

  /** Returns the bytes that the records of a topic take on the broker's disk. */
  kafkaBytes(topic: string): number {
    if (this.#cluster === null) return 0;
    const data = join(this.#cluster.kafka.spec.folder, 'data');
    return bytesOf(data, (path) => path.endsWith('.log') && path.includes(`.${topic}.v`));
  }

  /** Returns the bytes of the tables on the node's disk. Restarts the node first, which flushes all writes. */
  async cassandraBytes(): Promise<number> {
    if (this.#cluster === null) return 0;
    const { cassandra } = this.#cluster;
    await cassandra.stop();
    const bytes = bytesOf(join(cassandra.spec.folder, 'data'), (path) => /\/svc_[^/]+\/.*\.db$/.test(path));
    await cassandra.start();
    return bytes;
  }

  async close(): Promise<void> {
    if (this.#cluster !== null) await stopCluster(this.#cluster);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spent(service: ServerProcess): Spent {
    const of = (pid: number | null | undefined) => (pid == null ? 0 : cpuMicroseconds(pid));
    return {
      service: of(service.pid),
      kafka: of(this.#cluster?.kafka.pid),
      cassandra: of(this.#cluster?.cassandra.pid),
      redis: of(this.#cluster?.redis.pid),
    };
  }
}

function bytesOf(folder: string, isCounted: (path: string) => boolean): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((file) => join(file.parentPath, file.name)).filter(isCounted);
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}
