import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TcpProxy } from '../../engines/shared/tcp-proxy.fixture.ts';
import { ENGINE_VARIABLES } from '../../tools/cluster/addresses.ts';
import { type Cluster, startCluster, stopCluster } from '../../tools/cluster/cluster.ts';
import { readClusterSettings } from '../../tools/cluster/settings.ts';
import { clusterEnvironment } from '../../tools/service-process/cluster-environment.ts';
import { freePort, ServiceProcess } from '../../tools/service-process/service-process.ts';
import { SteppedClock } from '../e2e/operations/stepped-clock.fixture.ts';
import { readCluster } from './cluster-evidence.ts';
import type { FaultName } from './plan.ts';
import { areReady, keepLog, RUN_LIMITS, type Stage, type StageOptions, type Stored } from './stage.ts';

/** The processes of the service, by what they do. Two of a kind can disagree, and take over from each other. */
const PROCESSES = { gateway: 2, processors: 2, workers: 1, runner: 1 } as const;

export type ProcessKind = keyof typeof PROCESSES;

/** The ways to the servers, which all processes of the service take. */
export interface Ways {
  readonly kafka: TcpProxy;
  readonly cassandra: TcpProxy;
  readonly redis: TcpProxy;
}

type Processes = Record<ProcessKind, ServiceProcess[]>;
type Parts = Pick<ClusterStage, 'cluster' | 'ways' | 'environment' | 'processes' | 'clocks' | 'folder'>;

/** Dedicated servers, connections to them that can be broken, and the processes of one service. */
export class ClusterStage implements Stage {
  readonly cluster: Cluster;
  readonly ways: Ways;
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: Readonly<Record<ProcessKind, readonly ServiceProcess[]>>;
  /** The clock of each process. */
  readonly clocks: ReadonlyMap<ServiceProcess, SteppedClock>;
  readonly folder: string;
  readonly leftOut: ReadonlyMap<FaultName, string> = new Map();

  private constructor(parts: Parts) {
    this.cluster = parts.cluster;
    this.ways = parts.ways;
    this.environment = parts.environment;
    this.processes = parts.processes;
    this.clocks = parts.clocks;
    this.folder = parts.folder;
  }

  /** Starts everything, or leaves nothing running. */
  static async open({ environment: more, report }: StageOptions): Promise<ClusterStage> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-faults-'));
    const ports = { kafka: await freePort(), cassandra: await freePort(), redis: await freePort() };
    const cluster = await startCluster({
      folder,
      ports,
      cache: readClusterSettings(process.env).cache,
      report,
    });
    const ways = await openWays(cluster);
    const clocks = new Map<ServiceProcess, SteppedClock>();
    try {
      const environment = {
        ...clusterEnvironment({
          [ENGINE_VARIABLES.kafka]: ways.kafka.address,
          [ENGINE_VARIABLES.cassandra]: ways.cassandra.address,
          [ENGINE_VARIABLES.redis]: `redis://${ways.redis.address}`,
        }),
        ...more,
        SVC_WORKER_THREADS: '1',
      };
      const processes: Processes = { gateway: [], processors: [], workers: [], runner: [] };
      for (const kind of Object.keys(PROCESSES) as ProcessKind[]) {
        for (let number = 1; number <= PROCESSES[kind]; number += 1) {
          const clock = new SteppedClock();
          const process = await ServiceProcess.start({
            limits: RUN_LIMITS,
            environment: { ...environment, ...clock.environment, SVC_ROLES: kind },
          });
          processes[kind].push(process);
          clocks.set(process, clock);
          report(`${kind} ${number}: ready at ${process.url}`);
        }
      }
      return new ClusterStage({ cluster, ways, environment, processes, clocks, folder });
    } catch (error) {
      await dispose(clocks, ways, cluster);
      throw error;
    }
  }

  /** Every process, in the order of a roll-out. */
  get all(): readonly ServiceProcess[] {
    const { processors, workers, runner, gateway } = this.processes;
    return [...processors, ...workers, ...runner, ...gateway];
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

  isReady(): Promise<boolean> {
    return areReady(this.all);
  }

  read(): Promise<Stored> {
    return readCluster(this.environment, this.cluster.addresses);
  }

  keepLogs(): void {
    for (const [kind, processes] of Object.entries(this.processes)) {
      for (const [index, process] of processes.entries())
        keepLog(this.folder, `${kind}-${index + 1}`, process);
    }
  }

  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await dispose(this.clocks, this.ways, this.cluster);
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}

async function openWays({ kafka, cassandra, redis }: Cluster): Promise<Ways> {
  return {
    kafka: await TcpProxy.openToBroker(kafka.spec.address),
    cassandra: await TcpProxy.open(cassandra.spec.address),
    redis: await TcpProxy.open(new URL(redis.spec.address).host),
  };
}

async function dispose(clocks: ClusterStage['clocks'], ways: Ways, cluster: Cluster): Promise<void> {
  for (const [process, clock] of clocks) {
    await process.dispose();
    clock.remove();
  }
  for (const way of Object.values(ways)) await way.refuse();
  await stopCluster(cluster);
}
