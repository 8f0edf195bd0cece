// Measures if an operation costs as much on a large service as on a small one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import type { ServerProcess } from '../events/server-process.ts';
import { openLimiter } from '../limiter/ours.ts';
import { startRedis } from '../limiter/redis.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say, type Target } from '../report.ts';
import { checkPoints } from './check-points.ts';
import { eventPoints } from './event-points.ts';
import type { Point } from './point.ts';

const HELP = `
npm run bench:growth -- OPTIONS

Measures the CPU time of an event of a checklist from its append to its commit on the embedded engine, by the number of events
before, of installations, and of enrollments in one installation; and of a check by the number of identifiers (with redis-server, its
CPU time included, else on the embedded engine). Each size is made first. Then the sizes take turns. The figures that are compared
have the same number of events under way.

  --rounds 5       turns of each size
  --only events    events, installations, enrollments or identifiers; all by default
  --largest N      leaves out larger sizes
`;

const SORTS = ['events', 'installations', 'enrollments', 'identifiers'] as const;

const SIZES = {
  events: [1_000, 10_000, 100_000, 1_000_000],
  installations: [10, 100, 1_000, 10_000],
  enrollments: [100, 1_000, 10_000],
  identifiers: [1_000, 10_000, 100_000, 1_000_000],
} as const;
const QUICK_SIZES = {
  events: [100, 1_000],
  installations: [10, 100],
  enrollments: [10, 100],
  identifiers: [100, 1_000],
} as const;

/** The cost at a size over that at the smallest of the same sort. */
const FLAT: Target = { atMost: 1.1 };

const options = readBenchOptions(HELP, {
  rounds: { type: 'string' },
  only: { type: 'string', default: SORTS.join(',') },
  largest: { type: 'string', default: 'Infinity' },
});
const { quick } = options;
const rounds = Number(options.rounds ?? (quick ? 1 : 5));
const sizes = quick ? QUICK_SIZES : SIZES;
const sample = quick ? 200 : 5_000;
const chosen = (sort: keyof typeof SIZES) =>
  options.only.split(',').includes(sort) ? sizes[sort].filter((size) => size <= Number(options.largest)) : [];

const folder = mkdtempSync(join(tmpdir(), 'svc-growth-'));
const servers: ServerProcess[] = [];
const closers: (() => Promise<unknown>)[] = [];
try {
  const points = eventPoints(
    {
      engine: 'embedded',
      events: chosen('events'),
      installations: chosen('installations'),
      enrollments: chosen('enrollments'),
      warmUp: quick ? 200 : 20_000,
      sample,
    },
    servers,
  );
  if (options.only.includes('identifiers')) points.push(...(await pointsOfChecks()));
  for (const point of points) {
    await point.fill();
    say(`made ${point.size} ${point.sort}`);
  }
  const measured = new Map<Point, number[]>(points.map((point) => [point, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const point of round % 2 === 0 ? points : points.toReversed()) {
      const micros = await point.measure();
      measured.get(point)?.push(micros);
      say(`${point.size} ${point.sort}: ${micros.toFixed(1)} us of CPU`);
    }
  }
  reportGrowth(measured);
} finally {
  for (const server of servers) await server.close();
  for (const close of closers.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
}

async function pointsOfChecks(): Promise<Point[]> {
  const redis = spawnSync('redis-server', ['--version']).status === 0 ? await startRedis() : null;
  if (redis !== null) closers.push(async () => redis.child.kill('SIGTERM'));
  const { limiter, close } = await openLimiter(redis?.url ?? folder);
  closers.push(close);
  const used = (): number => {
    const { user, system } = process.cpuUsage();
    return user + system + (redis?.child.pid === undefined ? 0 : cpuMicroseconds(redis.child.pid));
  };
  return checkPoints(chosen('identifiers'), sample * 4, limiter, used);
}

/** Compares each size with the smallest one of its sort, in each round: what was measured one after the other saw the same machine. */
function reportGrowth(measured: ReadonlyMap<Point, readonly number[]>): void {
  const ours: Record<string, number> = {};
  const ratios: Record<string, number> = {};
  const smallest = new Map<string, readonly [number, readonly number[]]>();
  for (const [{ sort, size }, micros] of measured) {
    ours[`${sort}-${size}-cpu-microseconds`] = percentile(micros, 0.5);
    const [least, base] = smallest.get(sort) ?? [size, micros];
    smallest.set(sort, [least, base]);
    if (size === least) continue;
    const growth = micros.map((value, round) => value / (base[round] ?? Number.NaN));
    ratios[`${sort}-${least}-at-${size}`] = percentile(growth, 0.5);
  }
  const targets = Object.fromEntries(Object.keys(ratios).map((name) => [name, FLAT]));
  report({ bench: 'growth', ours, ratios, targets });
}
