import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TcpProxy } from '../../engines/shared/tcp-proxy.fixture.ts';
import { ENGINE_VARIABLES } from '../../tools/cluster/addresses.ts';
import { type Cluster, startCluster, stopCluster } from '../../tools/cluster/cluster.ts';
import { readClusterSettings } from '../../tools/cluster/settings.ts';
import { clusterEnvironment } from '../../tools/service-process/cluster-environment.ts';
import { freePort, ServiceProcess } from '../../tools/service-process/service-process.ts';
import { UPLOAD_ATTEMPTS_MAX } from './loads/imports.ts';

/** The processes of the service, by what they do. Two of a kind can disagree, and take over from each other. */
const PROCESSES = { gateway: 2, processors: 2, workers: 1 } as const;

export type ProcessKind = keyof typeof PROCESSES;

/** The product's own limits, but for those of one address: all customers of a run come from one. */
export const RUN_LIMITS = {
  imports: { uploadAttempts: UPLOAD_ATTEMPTS_MAX },
  workspace: { createdPerAddressHour: 100_000, createdPerAddressDay: 100_000 },
  http: {
    managementPerMinute: 100_000,
    deliveryPerMinute: 100_000,
    uploadsPerMinute: 100_000,
    unauthorizedPerMinute: 100_000,
  },
};

/** The ways to the servers, which all processes of the service take. */
export interface Ways {
  readonly kafka: TcpProxy;
  readonly cassandra: TcpProxy;
  readonly redis: TcpProxy;
}

/** Dedicated servers, connections to them that can be broken, and the processes of one service. */
export class Stage {
  readonly cluster: Cluster;
  readonly ways: Ways;
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: Readonly<Record<ProcessKind, readonly ServiceProcess[]>>;
  readonly folder: string;

  private constructor(parts: Pick<Stage, 'cluster' | 'ways' | 'environment' | 'processes' | 'folder'>) {
    this.cluster = parts.cluster;
    this.ways = parts.ways;
    this.environment = parts.environment;
    this.processes = parts.processes;
    this.folder = parts.folder;
  }

  /** Starts everything, or leaves nothing running. `report` takes a line for what takes time. */
  static async open(report: (line: string) => void): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-faults-'));
    const ports = { kafka: await freePort(), cassandra: await freePort(), redis: await freePort() };
    const cluster = await startCluster({
      folder,
      ports,
      cache: readClusterSettings(process.env).cache,
      report,
    });
    const ways = await openWays(cluster);
    const started: ServiceProcess[] = [];
    try {
      const environment = {
        ...clusterEnvironment({
          [ENGINE_VARIABLES.kafka]: ways.kafka.address,
          [ENGINE_VARIABLES.cassandra]: ways.cassandra.address,
          [ENGINE_VARIABLES.redis]: `redis://${ways.redis.address}`,
        }),
        SVC_WORKER_THREADS: '1',
      };
      const start = async (kind: ProcessKind): Promise<ServiceProcess[]> => {
        const own: ServiceProcess[] = [];
        for (let number = 1; number <= PROCESSES[kind]; number += 1) {
          const process = await ServiceProcess.start({
            limits: RUN_LIMITS,
            environment: { ...environment, SVC_ROLES: kind },
          });
          own.push(process);
          started.push(process);
          report(`${kind} ${number}: ready at ${process.url}`);
        }
        return own;
      };
      const processes = {
        gateway: await start('gateway'),
        processors: await start('processors'),
        workers: await start('workers'),
      };
      return new Stage({ cluster, ways, environment, processes, folder });
    } catch (error) {
      await dispose(started, ways, cluster);
      throw error;
    }
  }

  get gateways(): readonly string[] {
    return this.processes.gateway.map(({ url }) => url);
  }

  /** The one-time link of the first owner; every gateway offers the same code. */
  get setUpLink(): string {
    const [gateway] = this.processes.gateway;
    if (gateway === undefined) throw new Error('reading the link of a service without a gateway');
    return gateway.setUpLink;
  }

  /** True if every process reports that it is ready. */
  async isReady(): Promise<boolean> {
    const answers = Object.values(this.processes)
      .flat()
      .map(
        async ({ url }) => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS_MAX) })).ok,
      );
    return (await Promise.allSettled(answers)).every((each) => each.status === 'fulfilled' && each.value);
  }

  /** Writes what every process has said into the stage's folder. */
  keepLogs(): void {
    for (const [kind, processes] of Object.entries(this.processes)) {
      for (const [index, { output }] of processes.entries()) {
        writeFileSync(join(this.folder, `${kind}-${index + 1}.log`), output);
      }
    }
  }

  /** Ends every process and server. The folder with data and logs goes, unless it is to be looked at. */
  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await dispose(Object.values(this.processes).flat(), this.ways, this.cluster);
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}

const READY_MS_MAX = 2_000;

async function openWays({ kafka, cassandra, redis }: Cluster): Promise<Ways> {
  return {
    kafka: await TcpProxy.openToBroker(kafka.spec.address),
    cassandra: await TcpProxy.open(cassandra.spec.address),
    redis: await TcpProxy.open(new URL(redis.spec.address).host),
  };
}

async function dispose(processes: readonly ServiceProcess[], ways: Ways, cluster: Cluster): Promise<void> {
  for (const process of processes) await process.dispose();
  for (const way of Object.values(ways)) await way.refuse();
  await stopCluster(cluster);
}
