// Measures the cost of one event for each part of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { Customers } from '../activate/customers.ts';
import { fullLoad } from '../events/load.ts';
import type { ServerProcess } from '../events/server-process.ts';
import { readBenchOptions } from '../options.ts';
import { report, say } from '../report.ts';
import { type Spent, Stage } from './stage.ts';

const HELP = `
npm run bench:capacity -- OPTIONS

Measures the cost of a milestone for each part, in CPU time and bytes, as infra/docs/growing.md calculates with. It starts
its own Kafka, Cassandra and Redis, and takes three to four minutes on an otherwise idle machine. A quick run measures only the gateway
and the processor, on the embedded engine.
`;

const { quick } = readBenchOptions(HELP, {});

/** By part: microseconds of CPU time, or bytes of one copy. A batch is the commands of one aggregate that are committed together. */
type Costs = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Commands of the deepest batches that the runtime makes: few aggregates, and a backlog. */
const DEEP = { aggregates: 10, commands: quick ? 3_000 : 120_000 } as const;

/** One command for each aggregate, so that every batch has one command. */
const SHALLOW = quick ? { aggregates: 500, commands: 500 } : { aggregates: 24_000, commands: 24_000 };

/**
 * The servers' code is compiled while it runs, so what comes first counts for nothing. Of the shallow batches, the first 24,000
 * cost Cassandra 1.7 times as much as the second, and the third nearly as much as the second.
 */
const WARM_UPS = quick
  ? [{ aggregates: 500, commands: 500 }]
  : [{ aggregates: 500, commands: 60_000 }, SHALLOW, SHALLOW];

/** Commands in one commit if the backlog is deep (infra/docs/decisions/0002-one-conditional-batch-per-commit.md). */
const DEPTH = 256;

const HTTP_WARM_UP_MS = quick ? 200 : 5_000;
const HTTP_SECONDS = quick ? 2 : 12;

/** Significant digits of a figure: more would be noise. */
const DIGITS = 3;

if (quick) say('leaves out Kafka, Cassandra and Redis');
const stage = await Stage.open({ quick });
try {
  report({ bench: 'capacity', ours: flat(await measure()), ratios: {} });
} finally {
  await stage.close();
}

async function measure(): Promise<Costs> {
  const backlog = await measureBacklog();
  const http = await measureHttp();
  const { deep, shallow } = backlog;
  const processor = split(deep.service, shallow.service);
  return {
    // One process does both, so what the processor takes is taken off; batches of one aggregate's callers are deep.
    gateway: { event: rounded(http.service - processor.event) },
    processor: { event: rounded(processor.event), batch: rounded(processor.batch) },
    kafka: { append: rounded(backlog.append), read: rounded(Math.max(0, deep.kafka)) },
    cassandra: roundedAll(split(deep.cassandra, shallow.cassandra)),
    redis: { event: rounded(http.redis) },
    stored: { kafka: rounded(backlog.kafkaBytes), cassandra: rounded(backlog.cassandraBytes) },
  };
}

interface Backlog {
  /** CPU time for each event: with deep batches, and with batches of one event. */
  readonly deep: Spent;
  readonly shallow: Spent;
  readonly append: number;
  readonly kafkaBytes: number;
  readonly cassandraBytes: number;
}

/** Measures the cost of appending and folding. The events come from a backlog, so no gateway runs. */
async function measureBacklog(): Promise<Backlog> {
  const service = await stage.service();
  try {
    for (const warmUp of WARM_UPS) {
      await service.ask({ kind: 'fill', ...warmUp });
      await service.ask({ kind: 'fold', commands: warmUp.commands });
    }
    const filled = await stage.spentDuring(service, () => service.ask({ kind: 'fill', ...DEEP }));
    const deep = await stage.spentDuring(service, () =>
      service.ask({ kind: 'fold', commands: DEEP.commands }),
    );
    await service.ask({ kind: 'fill', ...SHALLOW });
    const shallow = await stage.spentDuring(service, () =>
      service.ask({ kind: 'fold', commands: SHALLOW.commands }),
    );
    const events = [...WARM_UPS, DEEP, SHALLOW].reduce((sum, { commands }) => sum + commands, 0);
    return {
      deep: byEvent(deep, DEEP.commands),
      shallow: byEvent(shallow, SHALLOW.commands),
      append: filled.kafka / DEEP.commands,
      kafkaBytes: stage.kafkaBytes('activate') / events,
      cassandraBytes: (await stage.cassandraBytes()) / events,
    };
  } finally {
    await service.close();
  }
}

/** Measures the cost of an event over HTTP with all roles in one process. All callers name the same aggregate. */
async function measureHttp(): Promise<Spent> {
  const service = await stage.service();
  try {
    const { port } = await service.ask({ kind: 'serve' });
    const next = await new Customers(port).requests('events', 1);
    const load = { port, seconds: HTTP_SECONDS, quick, next };
    const [{ rate }, spent] = await Promise.all([fullLoad(load), spentInTheMiddle(service)]);
    return byEvent(spent, rate * (HTTP_SECONDS - HTTP_WARM_UP_MS / 1_000));
  } finally {
    await service.close();
  }
}

/** Looks away while the load begins, and stops looking before it ends. */
async function spentInTheMiddle(service: ServerProcess): Promise<Spent> {
  await sleep(HTTP_WARM_UP_MS);
  return await stage.spentDuring(service, () => sleep(HTTP_SECONDS * 1_000 - HTTP_WARM_UP_MS));
}

/** From the cost of an event in the deepest and in the shallowest batches: that of an event, and that of a batch. */
function split(deep: number, shallow: number): { readonly event: number; readonly batch: number } {
  const batch = (shallow - deep) / (1 - 1 / DEPTH);
  return { event: deep - batch / DEPTH, batch };
}

function byEvent(spent: Spent, events: number): Spent {
  const { service, kafka, cassandra, redis } = spent;
  return {
    service: service / events,
    kafka: kafka / events,
    cassandra: cassandra / events,
    redis: redis / events,
  };
}

function roundedAll({ event, batch }: { readonly event: number; readonly batch: number }) {
  return { event: rounded(event), batch: rounded(batch) };
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** `gateway-event` and so on, for the line that programs read. */
function flat(parts: Costs): Record<string, number> {
  const entries = Object.entries(parts)
    .filter(([part]) => !quick || part === 'gateway' || part === 'processor')
    .flatMap(([part, costs]) =>
      Object.entries(costs).map(([name, value]): [string, number] => [
        `${part}-${name}-${part === 'stored' ? 'bytes' : 'us'}`,
        value,
      ]),
    );
  return Object.fromEntries(entries);
}
