import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { SESSION_TIMEOUT_MS } from '../../engines/kafka/group-member.ts';
import { growTopic } from '../../engines/kafka/grow.ts';
import { readSettings } from '../../service/settings/settings.ts';
import type { EngineName } from '../../tools/cluster/addresses.ts';
import type { ClusterStage, ProcessKind } from './cluster-stage.ts';
import type { History } from './history.ts';
import { between, type ClusterFault, type PlannedFault, pick } from './plan.ts';
import { signal } from './stage.ts';

/** Time between a kill and the restart. The start of a server adds to it, up to more than a client waits. */
const AWAY_MS = { min: 200, max: 3_000 } as const;
/** A stopped process or server keeps its connections and answers nothing. */
const STOPPED_MS = { min: 1_000, max: 8_000 } as const;
/** A zombie wakes up when others have its partitions and have folded on. */
const FROZEN_MS = { min: SESSION_TIMEOUT_MS + 2_000, max: SESSION_TIMEOUT_MS + 6_000 } as const;
/** A way that carries nothing, for longer than the service's own deadlines of a request to a server. */
const HOLE_MS = { min: 4_000, max: 9_000 } as const;
const SLOW_MS = 4_000;
const DELAY_MS = { min: 100, max: 500 } as const;
/** Stalls as those of a slow disk: most of the time the server does nothing. */
const STALLS = { count: 20, stalledMs: { min: 100, max: 300 }, runningMs: 50 } as const;
/** More than a process may be off the log's clock, and less than halts a partition. */
const CLOCK_STEPS_MS = [-30 * SECOND_MS, -10 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS] as const;
const OFF_MS = { min: 2_000, max: 8_000 } as const;

/** Requests that have to wait for their outcome when Redis goes, and how long they may take to come. */
const WAITING_MIN = 3;
const WAITING_MS_MAX = 5_000;

/** Topics of folds and of work, and how many partitions they get: more, fewer, and no multiples. */
const GROWN = ['workspaces', 'imports', 'import-partitions'] as const;
const GROWN_PARTITIONS = { min: 3, max: 24 } as const;
const DRAIN_MS_MAX = 30_000;

type Draws = PlannedFault['draws'];
type Inject = (stage: ClusterStage, draws: Draws, history: History) => Promise<void>;

/** The ways in which each fault is injected and mended. */
export const CLUSTER_INJECT: Readonly<Record<ClusterFault, Inject>> = {
  'kill a processor': killProcess('processors'),
  'kill a gateway': killProcess('gateway'),
  'kill a worker': killProcess('workers'),
  'kill Kafka': killServer('kafka'),
  'kill Cassandra': killServer('cassandra'),
  'kill Redis': killServer('redis'),
  'restart Kafka': (stage) => stage.cluster.kafka.restart(),
  'restart Cassandra': (stage) => stage.cluster.cassandra.restart(),
  'restart Redis before it publishes': restartRedisBeforeItPublishes,
  'restart every process in turn': restartInTurn,
  'stop a gateway for a while': stopProcess('gateway', STOPPED_MS),
  // It does not know that it was replaced, and continues where it stopped.
  'stop a processor beyond its session': stopProcess('processors', FROZEN_MS),
  'stop Kafka for a while': stopServer('kafka'),
  'stop Cassandra for a while': stopServer('cassandra'),
  'stop Redis for a while': stopServer('redis'),
  'stall Kafka and Cassandra again and again': stall,
  'slow connections': slowDown,
  'cut connections': async ({ ways }) => {
    for (const way of Object.values(ways)) way.cut();
  },
  'dead connections': async ({ ways }) => {
    for (const way of Object.values(ways)) way.freeze();
  },
  'black hole to Kafka': openHole('kafka'),
  'black hole to Cassandra': openHole('cassandra'),
  'black hole to Redis': openHole('redis'),
  'set the clock of a process': setClock,
  'grow a topic': growOneTopic,
};

function killProcess(kind: ProcessKind): Inject {
  return async (stage, [which, awhile]) => {
    const process = pick(stage.processes[kind], which);
    await process.kill();
    await pause(between(AWAY_MS, awhile));
    await process.restart();
  };
}

function killServer(name: EngineName): Inject {
  return async ({ cluster }, [, awhile]) => {
    await cluster[name].kill();
    await pause(between(AWAY_MS, awhile));
    await cluster[name].start();
  };
}

/**
 * Restarts Redis while gateways wait for replies and all processors are stopped, so that no reply is published before.
 * The pause is far below a session timeout, so that no processor loses a partition.
 */
async function restartRedisBeforeItPublishes(
  { cluster, processes }: ClusterStage,
  _: Draws,
  history: History,
) {
  for (const process of processes.processors) signal(process, 'SIGSTOP');
  try {
    const deadline = performance.now() + WAITING_MS_MAX;
    while (history.underWay < WAITING_MIN && performance.now() < deadline) await pause(AWAY_MS.min / 4);
    await cluster.redis.restart();
  } finally {
    for (const process of processes.processors) signal(process, 'SIGCONT');
  }
}

async function restartInTurn({ all }: ClusterStage): Promise<void> {
  for (const process of all) {
    const code = await process.stop();
    if (code !== 0) throw new Error(`stopping a process for its restart: exit code ${code}`);
    await process.restart();
  }
}

function stopProcess(kind: ProcessKind, range: typeof STOPPED_MS | typeof FROZEN_MS): Inject {
  return async ({ processes }, [which, awhile]) => {
    const process = pick(processes[kind], which);
    signal(process, 'SIGSTOP');
    await pause(between(range, awhile));
    signal(process, 'SIGCONT');
  };
}

function stopServer(name: EngineName): Inject {
  return async ({ cluster }, [, awhile]) => {
    await cluster[name].kill('SIGSTOP');
    await pause(between(STOPPED_MS, awhile));
    await cluster[name].kill('SIGCONT');
  };
}

async function stall({ cluster: { kafka, cassandra } }: ClusterStage, [, awhile]: Draws): Promise<void> {
  for (let count = 0; count < STALLS.count; count += 1) {
    for (const server of [kafka, cassandra]) await server.kill('SIGSTOP');
    await pause(between(STALLS.stalledMs, awhile));
    for (const server of [kafka, cassandra]) await server.kill('SIGCONT');
    await pause(STALLS.runningMs);
  }
}

async function slowDown({ ways }: ClusterStage, [, much]: Draws): Promise<void> {
  for (const way of Object.values(ways)) way.answerDelayMs = between(DELAY_MS, much);
  await pause(SLOW_MS);
  for (const way of Object.values(ways)) way.answerDelayMs = 0;
}

function openHole(name: EngineName): Inject {
  return async ({ ways }, [which, awhile]) => {
    // A lost answer is the worse case: the server has done the work, and the client does not know it.
    ways[name].condition = which < 0.5 ? 'black hole' : 'answers lost';
    await pause(between(HOLE_MS, awhile));
    ways[name].condition = 'sound';
    // Lost bytes leave the connections out of step, so that they cannot be used again.
    ways[name].cut();
  };
}

async function setClock({ clocks }: ClusterStage, [which, step]: Draws): Promise<void> {
  const [process, clock] = pick([...clocks], which);
  await clock.set(process, pick(CLOCK_STEPS_MS, step));
  await pause(between(OFF_MS, which));
  await clock.set(process, 0);
}

/** Changes a topic's number of partitions under load. This is no fault, but has to keep the same promises. */
async function growOneTopic({ environment }: ClusterStage, [which, more]: Draws): Promise<void> {
  const { cluster } = readSettings(environment);
  if (cluster === null) throw new Error('growing a topic of a service without a cluster');
  await growTopic({
    options: cluster.kafka,
    logger: { warn: () => undefined, error: () => undefined },
    topic: pick(GROWN, which),
    partitions: between(GROWN_PARTITIONS, more),
    drainMs: DRAIN_MS_MAX,
    report: () => undefined,
  });
}
