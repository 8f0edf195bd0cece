import { setTimeout as pause } from 'node:timers/promises';
import { SESSION_TIMEOUT_MS } from '../../engines/kafka/group-member.ts';
import { growTopic } from '../../engines/kafka/grow.ts';
import { readSettings } from '../../service/settings.ts';
import type { EngineName } from '../../tools/cluster/addresses.ts';
import type { ServiceProcess } from '../../tools/service-process/service-process.ts';
import type { History } from './history.ts';
import type { FaultName, PlannedFault } from './plan.ts';
import type { ProcessKind, Stage } from './stage.ts';

/** Time between a kill and the restart. The start of a server adds to it, up to more than a client waits. */
const AWAY_MS = { min: 200, max: 3_000 } as const;
/** A zombie wakes up when others have its partitions and have folded on. */
const FROZEN_MS = { min: SESSION_TIMEOUT_MS + 2_000, max: SESSION_TIMEOUT_MS + 6_000 } as const;
/** A way that carries nothing, for longer than the service's own deadlines of a request to a server. */
const HOLE_MS = { min: 4_000, max: 9_000 } as const;
const SLOW_MS = 4_000;
const DELAY_MS = { min: 100, max: 500 } as const;

/** Requests that have to wait for their outcome when Redis goes, and how long they may take to come. */
const WAITING_MIN = 3;
const WAITING_MS_MAX = 5_000;

/** Topics of folds and of work, and how many partitions they get: more, fewer, and no multiples. */
const GROWN = ['workspaces', 'imports', 'import-partitions'] as const;
const GROWN_PARTITIONS = { min: 3, max: 24 } as const;
const DRAIN_MS_MAX = 30_000;

type Range = { readonly min: number; readonly max: number };
type Inject = (stage: Stage, draws: PlannedFault['draws'], history: History) => Promise<void>;

/** Injects a planned fault and mends it: ended processes run again, and broken connections carry data again. */
export async function inject({ fault, draws }: PlannedFault, stage: Stage, history: History): Promise<void> {
  await INJECT[fault](stage, draws, history);
}

const INJECT: Readonly<Record<FaultName, Inject>> = {
  'kill a processor': killProcess('processors'),
  'kill a gateway': killProcess('gateway'),
  'kill a worker': killProcess('workers'),
  'kill Kafka': killServer('kafka'),
  'kill Cassandra': killServer('cassandra'),
  'kill Redis': killServer('redis'),
  'restart Kafka': (stage) => stage.cluster.kafka.restart(),
  'restart Cassandra': (stage) => stage.cluster.cassandra.restart(),
  'restart Redis before it publishes': restartRedisBeforeItPublishes,
  'freeze a processor beyond its session': freezeProcessor,
  'slow connections': slowDown,
  'black hole to Kafka': openHole('kafka'),
  'black hole to Cassandra': openHole('cassandra'),
  'black hole to Redis': openHole('redis'),
  'dead connections': async ({ ways }) => {
    for (const way of Object.values(ways)) way.freeze();
  },
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
async function restartRedisBeforeItPublishes({ cluster, processes }: Stage, _: unknown, history: History) {
  for (const { pid } of processes.processors) signal(pid, 'SIGSTOP');
  try {
    const deadline = performance.now() + WAITING_MS_MAX;
    while (history.underWay < WAITING_MIN && performance.now() < deadline) await pause(AWAY_MS.min / 4);
    await cluster.redis.restart();
  } finally {
    for (const { pid } of processes.processors) signal(pid, 'SIGCONT');
  }
}

/** Freezes a processor beyond its session. It does not know that it was replaced, and continues where it stopped. */
async function freezeProcessor({ processes }: Stage, [which, awhile]: PlannedFault['draws']) {
  const { pid } = pick(processes.processors, which);
  signal(pid, 'SIGSTOP');
  await pause(between(FROZEN_MS, awhile));
  signal(pid, 'SIGCONT');
}

async function slowDown({ ways }: Stage, [, much]: PlannedFault['draws']) {
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

/** Changes a topic's number of partitions under load. This is no fault, but has to keep the same promises. */
async function growOneTopic({ environment }: Stage, [which, more]: PlannedFault['draws']) {
  const { cluster } = readSettings(environment);
  if (cluster === null) throw new Error('growing a topic of a service without a cluster');
  const topic = GROWN[Math.floor(which * GROWN.length)] ?? GROWN[0];
  await growTopic({
    options: cluster.kafka,
    logger: { warn: () => undefined, error: () => undefined },
    topic,
    partitions: between(GROWN_PARTITIONS, more),
    drainMs: DRAIN_MS_MAX,
    report: () => undefined,
  });
}

function signal(pid: number | null, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === null) throw new Error(`sending ${name} to a process that does not run`);
  process.kill(pid, name);
}

function pick(processes: readonly ServiceProcess[], draw: number): ServiceProcess {
  const picked = processes[Math.floor(draw * processes.length)];
  if (picked === undefined) throw new Error('picking one of no processes');
  return picked;
}

function between({ min, max }: Range, draw: number): number {
  return Math.round(min + draw * (max - min));
}
