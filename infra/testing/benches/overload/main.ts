// Offers ten times the load that the service sustains, and measures what it still does.
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { type Answer, Tenant } from '../../e2e/workspaces/tenants.fixture.ts';
import { readProcesses } from '../../soak/series.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';
import { LightClient } from './light-client.ts';

const HELP = `
npm run bench:overload -- OPTIONS

Measures each product and all together on the embedded engine: the latency without load, the rate that the service sustains, and
then ten times that rate for a minute, whether or not it answers. It fails unless the service answers 90 % of its best, its latency
is at most 10 times that without load, every other request gets 429 or 503 with Retry-After within 100 ms, memory stays, and
the service is as fast as before within 5 seconds.

  --only limiter,events   products; by default all
`;

/** Requests under way that measure the best rate. */
const SUSTAINED_AT_ONCE = 64;
/** Requests under way at most: with more, the client would run out of connections and not the service. */
const UNDER_WAY_MAX = 4_000;
const TICK_MS = 10;
const RECOVERY_MS_MAX = 5_000;
const RECOVERY_PROBES = 20;
const REFUSED_MS_MAX = 100;
const GOODPUT_MIN = 0.9;
const SLOWER_MAX = 10;
/** Buffers of the requests that the service has accepted, and a heap that grows to its usual size. */
const MEMORY_MIB_MAX = 256;

const MANY = 10_000_000;
const LIMITS = {
  plans: {
    preview: { imports: MANY, checklistEvents: MANY, checklistEnrollments: MANY },
  },
  http: {
    managementPerMinute: MANY,
    unauthorizedPerMinute: MANY,
    deliveryPerMinute: MANY,
    uploadsPerMinute: MANY,
  },
  limiter: { testPerMinute: MANY, testPerMonth: MANY },
};

interface Timed {
  readonly ms: number;
  readonly endedAt: number;
  readonly answer: Answer | null;
}

const options = readBenchOptions(HELP, { only: { type: 'string' } });
const { quick } = options;
const seconds = quick ? 0.5 : 10;
const overloadSeconds = quick ? 1 : 60;
/** The offered rate, times the best one. */
const times = quick ? 2 : 10;

const PRODUCTS: Readonly<Record<string, (tenant: Tenant, number: number) => Promise<Answer>>> = {
  limiter: (tenant) => tenant.check(),
  events: (tenant) => tenant.recordEvent(),
  imports: (tenant) => tenant.upload(),
  mixed: (tenant, number) =>
    [() => tenant.check(), () => tenant.recordEvent(), () => tenant.upload()][number % 3]?.() ??
    tenant.check(),
};

const client = new LightClient();
const ours: Record<string, number> = {};
let failures = 0;
for (const [name, ask] of Object.entries(PRODUCTS)) {
  if (options.only?.split(',').includes(name) === false) continue;
  const service = await ServiceProcess.start({ limits: LIMITS, environment: { SVC_ENGINE: 'embedded' } });
  try {
    failures += await measure(name, service, ask, await Tenant.of(service, name, client.ask));
  } finally {
    await service.dispose();
  }
}
report({ bench: 'overload', ours, ratios: {} });
process.exitCode = quick || failures === 0 ? 0 : 1;

/** Measures one product on a new service. Returns the number of bounds that it exceeds. */
async function measure(
  name: string,
  service: ServiceProcess,
  ask: (tenant: Tenant, number: number) => Promise<Answer>,
  tenant: Tenant,
): Promise<number> {
  let number = 0;
  const timed = async (): Promise<Timed> => {
    const begunAt = performance.now();
    number += 1;
    const answer = await ask(tenant, number).catch(() => null);
    const endedAt = performance.now();
    return { ms: endedAt - begunAt, endedAt, answer };
  };
  await closedLoop(timed, SUSTAINED_AT_ONCE, seconds / 2);
  const unloadedMs = slowest(await closedLoop(timed, 1, seconds));
  const sustained = await closedLoop(timed, SUSTAINED_AT_ONCE, seconds);
  const best = sustained.filter(isServed).length / seconds;
  const before = memoryOf(service);
  const { answers, unsent, offeredUntil } = await openLoop(timed, times * best, overloadSeconds);
  const grownMiB = memoryOf(service) - before;
  const recoveredMs = await recovery(timed, SLOWER_MAX * unloadedMs, offeredUntil);

  const served = answers.filter(isServed);
  const refused = answers.filter((each) => !isServed(each));
  const proper = refused.filter(isProperRefusal);
  // Answers after the overload are no goodput of it: what waits until then is a queue.
  const goodput = served.filter(({ endedAt }) => endedAt <= offeredUntil).length / overloadSeconds / best;
  const slower = slowest(served) / unloadedMs;
  const refusedMs = slowest(refused);
  Object.assign(ours, {
    [`${name}-unloaded-p99-ms`]: unloadedMs,
    [`${name}-best-per-second`]: best,
    [`${name}-goodput-share`]: goodput,
    [`${name}-p99-times-unloaded`]: slower,
    [`${name}-refused-p99-ms`]: refusedMs,
    [`${name}-memory-mib`]: grownMiB,
    [`${name}-recovered-ms`]: recoveredMs,
  });
  say(
    `${name}: best ${Math.round(best)}/s, offered ${Math.round(times * best)}/s: ${served.length} served, ` +
      `${proper.length} refused as they should, ${refused.length - proper.length} otherwise, ${unsent} not sent`,
  );
  const exceeded = {
    goodput: goodput < GOODPUT_MIN,
    latency: slower > SLOWER_MAX,
    refusals: proper.length < refused.length || refusedMs > REFUSED_MS_MAX,
    memory: grownMiB > MEMORY_MIB_MAX,
    recovery: recoveredMs > RECOVERY_MS_MAX,
  };
  const names = Object.entries(exceeded).flatMap(([bound, isExceeded]) => (isExceeded ? [bound] : []));
  say(names.length === 0 ? `${name}: held` : `${name}: exceeds its bounds of ${names.join(', ')}`);
  return names.length;
}

/** Sends the next request as soon as one is answered. */
async function closedLoop(timed: () => Promise<Timed>, atOnce: number, forSeconds: number): Promise<Timed[]> {
  const answers: Timed[] = [];
  const endsAt = performance.now() + forSeconds * 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < endsAt) answers.push(await timed());
    }),
  );
  return answers;
}

/** Sends requests at a rate, whether or not earlier ones are answered. */
async function openLoop(timed: () => Promise<Timed>, perSecond: number, forSeconds: number) {
  const answers: Timed[] = [];
  const underWay = new Set<Promise<void>>();
  let due = 0;
  let unsent = 0;
  const begunAt = performance.now();
  for (let sent = 0; performance.now() < begunAt + forSeconds * 1_000; ) {
    due = (perSecond * (performance.now() - begunAt)) / 1_000;
    for (; sent < due; sent += 1) {
      if (underWay.size >= UNDER_WAY_MAX) {
        unsent += 1;
        continue;
      }
      const request = timed().then((each) => {
        answers.push(each);
        underWay.delete(request);
      });
      underWay.add(request);
    }
    await pause(TICK_MS);
  }
  const offeredUntil = performance.now();
  await Promise.all(underWay);
  return { answers, unsent, offeredUntil };
}

/** Milliseconds since the overload until requests are as fast as they may be; infinite if they do not get so. */
async function recovery(timed: () => Promise<Timed>, msMax: number, since: number): Promise<number> {
  const begunAt = performance.now();
  while (performance.now() < begunAt + 2 * RECOVERY_MS_MAX) {
    const afterMs = performance.now() - since;
    const probes: Timed[] = [];
    for (let probe = 0; probe < RECOVERY_PROBES; probe += 1) probes.push(await timed());
    if (probes.every(isServed) && slowest(probes) <= msMax) return afterMs;
  }
  return Number.POSITIVE_INFINITY;
}

function slowest(answers: readonly Timed[]): number {
  if (answers.length === 0) return 0;
  return percentile(
    answers.map(({ ms }) => ms),
    0.99,
  );
}

function isServed({ answer }: Timed): boolean {
  return answer !== null && answer.status < 300;
}

function isProperRefusal({ answer }: Timed): boolean {
  return answer !== null && [429, 503].includes(answer.status) && answer.retryAfter !== null;
}

function memoryOf({ pid }: ServiceProcess): number {
  return readProcesses([pid])?.memory ?? Number.NaN;
}
