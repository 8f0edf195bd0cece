// Measures the cost of a check over HTTP: one gateway process and Redis on one machine, 64 connections. It stands beside
// hand-written servers that do the same. Contenders take turns, so that a machine that changes its pace favours none.
// npm run bench:limiter -- [--rounds 4] [--seconds 3] [--only ours,node-http] [--json]
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { percentile, report, say } from '../report.ts';
import type { Load } from './load.ts';
import { CONTENDERS, type Contender } from './scene.ts';

interface Measured extends Load {
  /** CPU time of the contender's process, without Redis and the load generator. */
  readonly cpuMicroseconds: number;
}

const WARM_UP_SECONDS = 1;
const PING_EVERY_MS = 20;
const PING_ATTEMPTS_MAX = 250;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: CONTENDERS.join(',') },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const contenders = CONTENDERS.filter((name) => options.only.split(',').includes(name));

const children: ChildProcess[] = [];
const servers = new Map<Contender, ChildProcess>();
const measured = new Map<Contender, Measured[]>(contenders.map((name) => [name, []]));
try {
  const url = await startRedis();
  const ports = new Map<Contender, number>();
  for (const name of contenders) ports.set(name, await startServer(name, url));
  // What runs for the first time is compiled meanwhile, which is not what a running service costs.
  for (const [name, port] of ports) await measure(name, port);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [name, port] of ports) {
      const load = await measure(name, port);
      measured.get(name)?.push(load);
      const { requestsPerSecond, p50Ms, p99Ms, cpuMicroseconds } = load;
      say(
        `${name.padEnd(32)} ${Math.round(requestsPerSecond)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ` +
          `${cpuMicroseconds.toFixed(1)} us of CPU a request`,
      );
    }
  }
} finally {
  // Clients before the server.
  for (const child of children.reverse()) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
}
const others = contenders.filter((name) => name !== 'ours');
report({
  bench: 'limiter',
  ours: {
    'requests-per-second': median('ours', 'requestsPerSecond'),
    'p50-ms': median('ours', 'p50Ms'),
    'p99-ms': median('ours', 'p99Ms'),
    'cpu-microseconds-per-request': median('ours', 'cpuMicroseconds'),
  },
  ratios: {
    ...Object.fromEntries(others.map((name) => [name, medianRatio(name, 'requestsPerSecond')])),
    ...Object.fromEntries(others.map((name) => [`${name}-p99`, medianRatio(name, 'p99Ms')])),
  },
});

function median(name: Contender, figure: keyof Measured): number {
  return percentile(
    (measured.get(name) ?? []).map((load) => load[figure]),
    0.5,
  );
}

/** The median of ours over theirs in each round: what was measured one after the other saw the same machine. */
function medianRatio(name: Contender, figure: keyof Measured): number {
  const theirs = measured.get(name) ?? [];
  const inRounds = (measured.get('ours') ?? []).map(
    (load, round) => load[figure] / (theirs[round]?.[figure] ?? Number.NaN),
  );
  return percentile(inRounds, 0.5);
}

/** A server without persistence, as the limiter of a benchmark needs none. */
async function startRedis(): Promise<string> {
  const port = await freePort();
  children.push(
    spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], { stdio: 'ignore' }),
  );
  const client = new Redis(port, '127.0.0.1', {
    retryStrategy: () => PING_EVERY_MS,
    maxRetriesPerRequest: PING_ATTEMPTS_MAX,
  });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return `redis://127.0.0.1:${port}`;
}

async function startServer(name: Contender, url: string): Promise<number> {
  const file = fileURLToPath(new URL('server.ts', import.meta.url));
  const execArgv =
    options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}/${name}`];
  // The contender writes its log as a service does, and the log is dropped.
  const child = fork(file, [name, url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv });
  children.push(child);
  servers.set(name, child);
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

async function measure(name: Contender, port: number): Promise<Measured> {
  const file = fileURLToPath(new URL('load.ts', import.meta.url));
  const child = fork(file, [String(port), String(WARM_UP_SECONDS), options.seconds]);
  const begun = once(child, 'message');
  await begun;
  const before = await cpuOf(name);
  const [load] = (await once(child, 'message')) as [Load];
  const cpu = (await cpuOf(name)) - before;
  return { ...load, cpuMicroseconds: cpu / (load.requestsPerSecond * Number(options.seconds)) };
}

/** Microseconds of CPU that a contender's process has taken so far. */
async function cpuOf(name: Contender): Promise<number> {
  const server = servers.get(name);
  if (server === undefined) throw new Error('asking a server that was not started');
  const said = once(server, 'message');
  server.send('cpu');
  const [used] = (await said) as [number];
  return used;
}
