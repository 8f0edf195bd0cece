// Measures the cost of a check over HTTP.
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextMessage } from '../child-message.ts';
import { endWithout, readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';
import { countUnavailable, unavailableAnswers } from '../unavailable.ts';
import type { Load } from './load.ts';
import { startRedis } from './redis.ts';
import { CONTENDERS, type Contender, EACH, ENTRIES, WITHOUT_REDIS } from './scene.ts';

const HELP = `
npm run bench:limiter -- OPTIONS

Measures the cost of a check over HTTP: one gateway process and a private Redis (redis-server) on one machine, 64 connections. It
stands beside hand-written servers that do the same, and beside two and four processes that share one port: their sum grows until
the cores are full, which Redis and the load need as well. Contenders take turns, so that a machine that changes its pace favours
none. A quick run on a machine without redis-server measures the embedded engine.

  --rounds 4       turns of each contender
  --seconds 3      of each measurement
  --entries 3      limits in a request to ours-several
  --each 100       checks in a request to ours-each
  --only ours,echo contenders; by default ${CONTENDERS.join(', ')}
  --profile FOLDER leaves CPU profiles of the contenders
`;

/** A request with several limits costs at most 1.5 times one with a single limit. Of `each`, one check counts. */
const TARGETS = {
  'each-checks-per-second': { atLeast: 100_000 },
  'each-cpu-microseconds-per-check': { atMost: 8 },
  'rate-limiter-flexible-over-each': { atLeast: 3 },
  'rate-limiter-flexible': { atLeast: 1.6 },
  echo: { atLeast: 0.6 },
  'ours-several': { atMost: 1.5 },
} as const;

interface Measured extends Load {
  /** CPU time of the contender's processes, without Redis and the load generator. */
  readonly cpuMicroseconds: number;
}

const options = readBenchOptions(HELP, {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  entries: { type: 'string', default: String(ENTRIES) },
  each: { type: 'string', default: String(EACH) },
  only: { type: 'string', default: CONTENDERS.join(',') },
  profile: { type: 'string' },
});
const { quick } = options;
const rounds = Number(options.rounds ?? (quick ? 1 : 4));
const seconds = Number(options.seconds ?? (quick ? 0.3 : 3));
const warmUpSeconds = quick ? 0.1 : 1;
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis && !quick) endWithout('No redis-server on this machine.', options);
if (!hasRedis) say(`leaves out Redis, which is not here: measures only ${WITHOUT_REDIS.join(' and ')}`);
const contenders = (hasRedis ? CONTENDERS : WITHOUT_REDIS).filter((name) =>
  options.only.split(',').includes(name),
);
const folder = mkdtempSync(join(tmpdir(), 'svc-limiter-'));

const children: ChildProcess[] = [];
const servers = new Map<Contender, ChildProcess>();
const measured = new Map<Contender, Measured[]>(contenders.map((name) => [name, []]));
try {
  let place = folder;
  if (hasRedis) {
    const { child, url } = await startRedis();
    children.push(child);
    place = url;
  }
  const ports = new Map<Contender, number>();
  for (const name of contenders) ports.set(name, await startServer(name, place));
  // What runs for the first time is compiled meanwhile, which is not what a running service costs.
  if (!quick) for (const [name, port] of ports) await measure(name, port);
  for (let round = 0; round < rounds; round += 1) {
    // In the opposite order each second time, so that the place in a round favours none either.
    for (const [name, port] of round % 2 === 0 ? ports : [...ports].reverse()) {
      const load = await measure(name, port);
      measured.get(name)?.push(load);
      const { requestsPerSecond, p50Ms, p99Ms, cpuMicroseconds, unavailable } = load;
      say(
        `${name.padEnd(32)} ${Math.round(requestsPerSecond)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ` +
          `${cpuMicroseconds.toFixed(1)} us of CPU a request, ${unavailable} answers with 503`,
      );
    }
  }
} finally {
  // Clients before the server.
  for (const child of children.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
  rmSync(folder, { recursive: true, force: true });
}
const others = contenders.filter((name) => name !== 'ours');
report({
  bench: 'limiter',
  ours: {
    'requests-per-second': median('ours', 'requestsPerSecond'),
    'p50-ms': median('ours', 'p50Ms'),
    'p99-ms': median('ours', 'p99Ms'),
    'cpu-microseconds-per-request': median('ours', 'cpuMicroseconds'),
    'answers-with-503': unavailableAnswers(),
    ...eachFigures(),
  },
  ratios: {
    ...Object.fromEntries(others.map((name) => [name, medianRatio(name, 'requestsPerSecond')])),
    ...Object.fromEntries(others.map((name) => [`${name}-p99`, medianRatio(name, 'p99Ms')])),
    ...Object.fromEntries(others.map((name) => [`${name}-cpu`, medianRatio(name, 'cpuMicroseconds')])),
    ...eachRatios(),
  },
  targets: TARGETS,
});

function eachFigures(): Readonly<Record<string, number>> {
  if (!contenders.includes('ours-each')) return {};
  return {
    'each-checks-per-second': median('ours-each', 'requestsPerSecond') * Number(options.each),
    'each-cpu-microseconds-per-check': median('ours-each', 'cpuMicroseconds') / Number(options.each),
  };
}

/** Checks of `ours-each` over those of hand-written servers, each of which decides one with a request. */
function eachRatios(): Readonly<Record<string, number>> {
  const rivals = contenders.filter((name) => name.startsWith('rate-limiter-flexible'));
  if (!contenders.includes('ours-each')) return {};
  const checks = (name: Contender) =>
    (median('ours-each', 'requestsPerSecond') * Number(options.each)) / median(name, 'requestsPerSecond');
  return Object.fromEntries(rivals.map((name) => [`${name}-over-each`, checks(name)]));
}

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

/** @param place the address of Redis, or a folder for the embedded engine */
async function startServer(name: Contender, place: string): Promise<number> {
  const file = fileURLToPath(new URL('server.ts', import.meta.url));
  const execArgv =
    options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}/${name}`];
  // The contender writes its log as a service does, and the log is dropped.
  const child = fork(file, [name, place], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv });
  children.push(child);
  servers.set(name, child);
  return await nextMessage(child);
}

async function measure(name: Contender, port: number): Promise<Measured> {
  const file = fileURLToPath(new URL('load.ts', import.meta.url));
  const entries = name === 'ours-several' ? options.entries : '1';
  const each = name === 'ours-each' ? options.each : '0';
  const child = fork(file, [String(port), String(warmUpSeconds), String(seconds), entries, each]);
  await nextMessage(child);
  const before = await cpuOf(name);
  const load = await nextMessage<Load>(child);
  const cpu = (await cpuOf(name)) - before;
  if (name === 'ours') countUnavailable(load.unavailable);
  return { ...load, cpuMicroseconds: cpu / (load.requestsPerSecond * seconds) };
}

/** Microseconds of CPU that a contender's processes have taken so far. */
async function cpuOf(name: Contender): Promise<number> {
  const server = servers.get(name);
  if (server === undefined) throw new Error('asking a server that was not started');
  const used = nextMessage<number>(server);
  server.send('cpu');
  return await used;
}
