// Measures what greedy callers cost their neighbours, and what a service does that gets ten times the load it sustains.
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { nextMessage } from '../child-message.ts';
import { startRedis } from '../limiter/redis.ts';
import { readBenchOptions } from '../options.ts';
import { report, say, type Target } from '../report.ts';
import type { Caller, Figures, Phase, Result } from './protocol.ts';
import { CALLERS, keyCallers, type Requests, tenantCallers } from './scene.ts';

const HELP = `
npm run bench:overload -- OPTIONS

Measures ten callers, on the embedded service and on a gateway with the limiter on Redis.

greedy: one key, one workspace or one address sends 100 times its rate, beside nine that keep theirs. The 99th percentile of the nine
is compared with that without the greedy one, in the same run.

overload: all ten together send ten times what the service sustains. Shown are the 99th percentiles of accepted and of refused
requests, and the time until the service is as fast as before. A refusal is 429 or 503 with Retry-After.

The load generator is a separate process. On two cores it takes one of them; the delay of its event loop is in each latency,
and is shown.

  --only redis-key       parts, by the beginnings of their names, with commas; by default all
  --seconds 10           of each measurement
  --connections 4000     of all callers together, each with one request under way
`;

const PER_MINUTE = 1_000;
/** Requests of a neighbour in a second: a little less than its rate, so that none is refused. */
const NEIGHBOUR_PER_SECOND = (0.9 * PER_MINUTE) / 60;
const GREEDY = 100;
const OVERLOAD = 10;
/** Connections that measure what the service sustains. */
const SUSTAINED_CONNECTIONS = 64;
/** Without load, no more than this many requests wait for each other. */
const GREEDY_CONNECTIONS = 100;
const RECOVERY_MS_MAX = 5_000;
const RECOVERY_PROBE_SECONDS = 0.25;
/** A service is as fast as before once the 99th percentile of its neighbours is at most this much longer. */
const RECOVERED = 2;
const MANY = 1_000_000_000;

const TARGETS = {
  'p99-beside-greedy-key': { atMost: 2 },
} satisfies Record<string, Target>;

const options = readBenchOptions(HELP, {
  only: { type: 'string', default: 'embedded,redis' },
  seconds: { type: 'string' },
  connections: { type: 'string', default: '4000' },
});
const { quick } = options;
const seconds = Number(options.seconds ?? (quick ? 0.5 : 10));
const connections = quick ? CALLERS : Number(options.connections);

const ours: Record<string, number> = {};
const ratios: Record<string, number> = {};
const targets: Record<string, Target> = {};

/** The parts of the benchmark by name. Each has a new service. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  'embedded-key': () =>
    embedded(PER_MINUTE, (run, { checks }) => greedy(run, 'embedded-key', checks, checks[0])),
  'embedded-workspace': () =>
    embedded(PER_MINUTE, (run, { events }) => greedy(run, 'embedded-workspace', events, events[0])),
  'embedded-address': () =>
    embedded(PER_MINUTE, (run, { events, stranger }) => greedy(run, 'embedded-address', events, stranger)),
  'redis-key': () => onRedis(PER_MINUTE, (run, keys) => greedy(run, 'redis-key', keys, keys[0])),
  'embedded-checks': () => embedded(MANY, (run, { checks }) => overload(run, 'embedded-checks', checks)),
  'embedded-events': () => embedded(MANY, (run, { events }) => overload(run, 'embedded-events', events)),
  'redis-checks': () => onRedis(MANY, (run, keys) => overload(run, 'redis-checks', keys)),
};

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
for (const [name, measure] of Object.entries(PARTS)) {
  if (!options.only.split(',').some((part) => name.startsWith(part))) continue;
  if (hasRedis || !name.startsWith('redis')) await measure();
  else say(`leaves out ${name}: no redis-server on this machine`);
}
report({ bench: 'overload', ours, ratios, targets });

async function embedded(perMinute: number, measure: (run: Run, requests: Requests) => Promise<void>) {
  const service = await startEmbedded(perMinute);
  try {
    const requests = await tenantCallers(service);
    await withLoad(Number(new URL(service.url).port), (run) => measure(run, requests));
  } finally {
    await service.dispose();
  }
}

function startEmbedded(perMinute: number): Promise<ServiceProcess> {
  return ServiceProcess.start({
    limits: {
      plans: { preview: { checklistEvents: MANY, checklistEnrollments: MANY } },
      workspace: { createdPerAddressHour: MANY, createdPerAddressDay: MANY },
      http: { managementPerMinute: MANY, unauthorizedPerMinute: perMinute, deliveryPerMinute: perMinute },
      limiter: { testPerMinute: perMinute, testPerMonth: MANY },
    },
    environment: { SVC_ENGINE: 'embedded' },
  });
}

type Run = (phase: Omit<Phase, 'port'>) => Promise<Result>;

async function onRedis(perMinute: number, measure: (run: Run, keys: readonly Caller[]) => Promise<void>) {
  const redis = await startRedis();
  const file = fileURLToPath(new URL('limiter-gateway.ts', import.meta.url));
  const gateway = fork(file, [redis.url, String(perMinute)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await withLoad(await nextMessage<number>(gateway), (run) => measure(run, keyCallers()));
  } finally {
    await end(gateway);
    await end(redis.child);
  }
}

async function withLoad(port: number, measure: (run: Run) => Promise<void>): Promise<void> {
  const load = fork(fileURLToPath(new URL('load.ts', import.meta.url)));
  try {
    await measure((phase) => {
      load.send({ ...phase, port });
      return nextMessage<Result>(load);
    });
  } finally {
    await end(load);
  }
}

/** Measures nine neighbours, first alone and then beside a greedy caller. */
async function greedy(run: Run, name: string, callers: readonly Caller[], one: Caller | undefined) {
  if (one === undefined) throw new Error('measuring without a caller');
  const rest = neighboursOf(callers);
  const phase = { seconds, connections: GREEDY_CONNECTIONS };
  await run({ ...phase, seconds: seconds / 2, loads: rest });
  const alone = await run({ ...phase, loads: rest });
  const perSecond = (GREEDY * PER_MINUTE) / 60;
  const beside = await run({ ...phase, loads: [...rest, { caller: one, group: 'one', perSecond }] });
  show(`${name}: neighbours alone`, alone.rest, alone);
  show(`${name}: neighbours beside`, beside.rest, beside);
  show(`${name}: the greedy one`, beside.one, beside);
  set(`${name}-alone-p99-ms`, alone.rest.acceptedP99Ms);
  set(`${name}-neighbours-5xx`, beside.rest.serverErrors + (beside.rest.others['broken'] ?? 0), {
    atMost: 0,
  });
  ratios[`${name}-neighbours-p99`] = beside.rest.acceptedP99Ms / alone.rest.acceptedP99Ms;
  targets[`${name}-neighbours-p99`] = TARGETS['p99-beside-greedy-key'];
}

/** Measures what is sustained, then ten times that, and then how soon neighbours are as fast as before. */
async function overload(run: Run, name: string, callers: readonly Caller[]): Promise<void> {
  const all = callers.map((caller) => ({ caller, group: 'rest' as const }));
  const closed = all.map((each) => ({ ...each, perSecond: null }));
  const sustained = { connections: Math.ceil(SUSTAINED_CONNECTIONS / CALLERS), loads: closed };
  await run({ ...sustained, seconds: seconds / 2 });
  const unloaded = await run({ connections: GREEDY_CONNECTIONS, seconds, loads: neighboursOf(callers) });
  const { rest, seconds: took } = await run({ ...sustained, seconds });
  const best = rest.accepted / took;
  const loads = all.map((each) => ({ ...each, perSecond: (OVERLOAD * best) / CALLERS }));
  const offered = await run({ seconds, connections: connections / CALLERS, loads });
  const endedAt = performance.now();
  let recoveredMs = Number.POSITIVE_INFINITY;
  while (performance.now() - endedAt < 2 * RECOVERY_MS_MAX && !Number.isFinite(recoveredMs)) {
    const startedMs = performance.now() - endedAt;
    const probe = await run({
      connections: GREEDY_CONNECTIONS,
      seconds: RECOVERY_PROBE_SECONDS,
      loads: neighboursOf(callers),
    });
    const isFast = probe.rest.acceptedP99Ms <= RECOVERED * unloaded.rest.acceptedP99Ms;
    if (isFast && probe.rest.refused === 0) recoveredMs = startedMs;
  }
  show(`${name}: unloaded`, unloaded.rest, unloaded);
  show(`${name}: sustained`, rest, { seconds: took, generatorLateMs: 0 });
  show(`${name}: overload`, offered.rest, offered);
  set(`${name}-sustained-per-second`, best);
  set(`${name}-accepted-share-of-sustained`, offered.rest.accepted / offered.seconds / best);
  set(`${name}-accepted-p99-ms`, offered.rest.acceptedP99Ms, { atMost: 1_000 });
  set(`${name}-refused-p99-ms`, offered.rest.refusedP99Ms, { atMost: 200 });
  set(`${name}-other-answers`, sum(Object.values(offered.rest.others)), { atMost: 0 });
  set(`${name}-recovered-ms`, recoveredMs, { atMost: RECOVERY_MS_MAX });
  set(`${name}-generator-late-p99-ms`, offered.generatorLateMs);
}

function neighboursOf(callers: readonly Caller[]): Phase['loads'] {
  return callers
    .slice(1)
    .map((caller) => ({ caller, group: 'rest', perSecond: NEIGHBOUR_PER_SECOND }) as const);
}

function show(
  what: string,
  figures: Figures,
  { seconds: took, generatorLateMs }: Pick<Result, 'seconds' | 'generatorLateMs'>,
) {
  const { accepted, acceptedP50Ms, acceptedP99Ms, refused, refusedP99Ms, others, serverErrors, unsent } =
    figures;
  say(
    `${what.padEnd(36)} ${Math.round(accepted / took)}/s accepted (p50 ${acceptedP50Ms.toFixed(1)} ms, p99 ${acceptedP99Ms.toFixed(1)} ms), ` +
      `${Math.round(refused / took)}/s refused (p99 ${refusedP99Ms.toFixed(1)} ms), ${serverErrors} with 5xx, ` +
      `others ${JSON.stringify(others)}, ${unsent} not sent; generator late ${generatorLateMs.toFixed(1)} ms`,
  );
}

function set(name: string, value: number, target?: Target): void {
  ours[name] = value;
  if (target !== undefined) targets[name] = target;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
