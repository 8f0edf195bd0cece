// Measures what the metrics cost.
import { fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Customers } from '../activate/customers.ts';
import { threadMicroseconds } from '../capacity/cpu-time.ts';
import { nextMessage } from '../child-message.ts';
import { HttpConnection, type LoadRequest } from '../events/connection.ts';
import type { ServiceName } from '../events/protocol.ts';
import { ServerProcess } from '../events/server-process.ts';
import { startRedis } from '../limiter/redis.ts';
import { KEY, requestOf } from '../limiter/scene.ts';
import { readBenchOptions } from '../options.ts';
import { report, say } from '../report.ts';
import { isAnswered } from '../unavailable.ts';
import { type Cost, pairedRounds } from './paired-rounds.ts';

/** CPU time with metrics over that without. */
const TARGETS = {
  'fold-unmetered-cpu': { atMost: 1.03 },
  'event-unmetered-cpu': { atMost: 1.03 },
  'check-unmetered-cpu': { atMost: 1.03 },
} as const;

const HELP = `
npm run bench:metrics -- OPTIONS

Measures the CPU time of an operation with metrics over that without: of a command of a backlog and of a milestone over HTTP, on the
embedded engine, and of a check of the rate limiter on a private Redis (redis-server). Both services run in one process and take
turns, because two processes that do the same differ by some per cent, in how their code and memory are laid out. The observers of
Node.js that every process with metrics has (event loop, garbage collector) run for both.

  --seconds 40     of each operation
`;

/** Commands of a turn of the fold. */
const COMMANDS = 1_000;

/** Aggregates of a backlog, and customers of a service. */
const AGGREGATES = 100;

/** Callers that wait for their answer before they send again. */
const CALLERS = 32;

/** Requests of a turn over HTTP: a number, so that a busy machine makes turns longer, not smaller. */
const REQUESTS = { event: 200, check: 2_000 } as const;

/** The part of them that a quick run sends. */
const QUICK_PART = 1 / 10;

const options = readBenchOptions(HELP, { seconds: { type: 'string' } });
const { quick } = options;
const seconds = Number(options.seconds ?? (quick ? 1 : 40));
const costs: Record<string, Cost> = {};

const server = await ServerProcess.start({ engine: 'embedded' });
try {
  await server.ask({ kind: 'open' }, 'unmetered');
  costs['fold'] = await pairedRounds('fold', seconds, foldOnce);
  const next = { usual: await events('usual'), unmetered: await events('unmetered') };
  costs['event'] = await pairedRounds('event', seconds, (service) =>
    load(server.pid, next[service], REQUESTS.event),
  );
} finally {
  await server.close();
}
if (spawnSync('redis-server', ['--version']).status === 0) costs['check'] = await costOfCheck();
else say('leaves out checks: no redis-server on this machine');

report({
  bench: 'metrics',
  ours: Object.fromEntries(
    Object.entries(costs).flatMap(([name, { cpuMicroseconds: micros, from, to }]) => [
      [`${name}-cpu-microseconds`, micros],
      [`${name}-ratio-at-least`, from],
      [`${name}-ratio-at-most`, to],
    ]),
  ),
  ratios: Object.fromEntries(
    Object.entries(costs).map(([name, { ratio }]) => [`${name}-unmetered-cpu`, ratio]),
  ),
  targets: TARGETS,
});

/** CPU microseconds of a command of a backlog. */
async function foldOnce(service: ServiceName): Promise<number> {
  await server.ask({ kind: 'fill', aggregates: AGGREGATES, commands: COMMANDS }, service);
  const { cpuMs } = await server.ask({ kind: 'fold', commands: COMMANDS }, service);
  return (cpuMs * 1_000) / COMMANDS;
}

/** Opens connections to a service whose customers report milestones. */
async function events(service: ServiceName): Promise<Callers> {
  const { port } = await server.ask({ kind: 'serve' }, service);
  const next = await new Customers(port).requests('events', AGGREGATES);
  return await callers(port, next);
}

/** Measures checks in a process with two gateways. */
async function costOfCheck(): Promise<Cost> {
  const redis = await startRedis();
  const child = fork(fileURLToPath(new URL('gateways.ts', import.meta.url)), [redis.url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const ports = await nextMessage<Record<ServiceName, number>>(child);
    let sent = 0;
    const next = (): LoadRequest => {
      sent += 1;
      return { ...requestOf(sent, 1), credential: KEY };
    };
    const open = { usual: await callers(ports.usual, next), unmetered: await callers(ports.unmetered, next) };
    return await pairedRounds('check', seconds, (service) =>
      load(child.pid ?? 0, open[service], REQUESTS.check),
    );
  } finally {
    child.kill('SIGKILL');
    redis.child.kill('SIGTERM');
  }
}

interface Callers {
  readonly connections: readonly HttpConnection[];
  /** Makes the next request; no two are the same. */
  readonly next: () => LoadRequest;
}

async function callers(port: number, next: () => LoadRequest): Promise<Callers> {
  const connections = await Promise.all(Array.from({ length: CALLERS }, () => HttpConnection.open(port)));
  return { connections, next };
}

/** Sends requests. Returns the CPU microseconds of the process for each. */
async function load(pid: number, { connections, next }: Callers, requests: number): Promise<number> {
  const before = threadMicroseconds(pid);
  const most = requests * (quick ? QUICK_PART : 1);
  let answers = 0;
  const caller = async (connection: HttpConnection): Promise<void> => {
    while (answers < most) {
      if (isAnswered(await connection.post(next()), [200])) answers += 1;
    }
  };
  await Promise.all(connections.map(caller));
  return (threadMicroseconds(pid) - before) / answers;
}
