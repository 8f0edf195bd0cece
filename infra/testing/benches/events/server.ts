// The process that is measured: one engine, the real runtime on it, and the real gateway in front.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import { createLogger } from '../../../../gateway/http/logging.ts';
import { listen } from '../../../../gateway/http/server.ts';
import { openSubmitter } from '../../../../gateway/http/submit.ts';
import { emptyBoard } from '../../../../gateway/operations/empty-board.fixture.ts';
import { foldSubscription } from '../../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../../processors/runtime/dependencies.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Consumer, NewRecord, Subscription } from '../../../../topics/ports/log.ts';
import { dropKeyspace } from '../../../engines/cassandra/cassandra-engine.fixture.ts';
import { migrate } from '../../../engines/cassandra/migrate.ts';
import { createClient } from '../../../engines/kafka/client.ts';
import { openEngine } from '../../../service/engine.ts';
import { PooledEntropy } from '../../../service/entropy.ts';
import { assembleGateway } from '../../../service/gateway.ts';
import { keepRequestsYoung } from '../../../service/gc-flags.ts';
import { meteredEngine } from '../../../service/metrics/metered-engine.ts';
import { type Metering, openMetering } from '../../../service/metrics/metering.ts';
import type { Engine } from '../../../service/ports.ts';
import { ConsumerWatch } from '../../../service/reports/consumer-watch.ts';
import { Tally } from '../../../service/reports/tally.ts';
import { runtimeLogger } from '../../../service/runtime-logger.ts';
import { readSettings } from '../../../service/settings.ts';
import { activateScene as scene } from '../activate/scene.ts';
import type { Answer, Question, Reply } from './protocol.ts';
import type { Backlog } from './scene.ts';
import { evenTurnOf } from './turns.ts';

/** Records of one append while a topic is filled, and appends under way at the same time. */
const FILL_RECORDS = 2_000;
const FILL_AT_ONCE = 4;

/** Commands by which appends may run ahead of the fold in a soak. */
const SOAK_AHEAD = 20_000;

const MEMORY_EVERY_MS = 1_000;

keepRequestsYoung();

const settings = readSettings(process.env);
const logger = createLogger({ level: settings.logLevel });
const clock = { now: () => Date.now() };
const entropy = new PooledEntropy();
const tally = new Tally(DEFAULT_LIMITS, clock.now);

let engine: Engine | null = null;
/** Like a service, it counts unless METRICS=off. */
let metering: Metering | undefined;
/** Records of the backlog that are no events. */
let beginnings = 0;
/** Rejects unless the events of the latest backlog were accepted. */
let requireAccepted = async (): Promise<void> => undefined;
let handled = 0;
let onHandled: () => void = () => undefined;
const closers: (() => Promise<void>)[] = [];

function opened(): Engine {
  if (engine === null) throw new Error('measuring before the engine is open');
  return engine;
}

async function open(): Promise<void> {
  if (settings.cluster !== null) await migrate(settings.cluster.cassandra);
  const onFatal = (error: unknown) => {
    throw error;
  };
  ({ engine } = await openEngine({ settings, clock, logger, onFatal }, entropy));
  metering = settings.metrics === null ? undefined : openMetering(settings.metrics);
  if (metering === undefined) return;
  const watch = new ConsumerWatch();
  engine = meteredEngine({ ...engine, log: watch.watching(engine.log) }, watch, metering);
}

async function fill(aggregates: number, commands: number): Promise<void> {
  const backlog = scene.backlog(aggregates);
  await begin(backlog);
  const expected = Math.ceil(commands / aggregates);
  requireAccepted = async () => {
    const accepted = await backlog.accepted(opened().store);
    if (accepted !== expected)
      throw new Error(`folding ${expected} events, of which ${accepted} were accepted`);
  };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < commands) {
      const from = next;
      next = Math.min(commands, from + FILL_RECORDS);
      await opened().log.append(recordsBetween(backlog, from, next));
    }
  };
  await Promise.all(Array.from({ length: FILL_AT_ONCE }, lane));
}

/** Appends what the aggregates of a backlog begin with. */
async function begin({ beginning }: Backlog): Promise<void> {
  for (let from = 0; from < beginning.length; from += FILL_RECORDS) {
    await opened().log.append(beginning.slice(from, from + FILL_RECORDS));
  }
  beginnings += beginning.length;
}

function recordsBetween({ recordAt }: Backlog, from: number, to: number): NewRecord[] {
  return Array.from({ length: to - from }, (_, index) => recordAt(from + index));
}

function dependencies(): ProcessorDependencies {
  return { ...opened(), clock, entropy, logger: runtimeLogger(logger), meter: metering?.meter, tally };
}

/** Starts only the processor of what a backlog holds, and counts from here on. */
function startProcessor(): Promise<Consumer> {
  handled = 0;
  return opened().log.consume(counting(foldSubscription(scene.fold, dependencies())));
}

/** Counts what is done for good. */
function counting(subscription: Subscription): Subscription {
  return {
    ...subscription,
    open: (assignment) => {
      const handler = subscription.open(assignment);
      return {
        handle: async (records) => {
          const progress = await handler.handle(records);
          handled += records.filter(({ offset }) => offset < progress.nextOffset).length;
          onHandled();
          return progress;
        },
        idle: () => handler.idle(),
        close: () => handler.close(),
      };
    },
  };
}

async function untilHandled(count: number): Promise<void> {
  while (handled < count) {
    await new Promise<void>((resolve) => {
      onHandled = resolve;
    });
  }
}

async function fold(commands: number): Promise<void> {
  const consumer = await startProcessor();
  await untilHandled(beginnings + commands);
  await consumer.stop();
  beginnings = 0;
  await requireAccepted();
}

async function soak(aggregates: number, commands: number): Promise<number[]> {
  const memory: number[] = [];
  const sample = (): void => void memory.push(process.memoryUsage.rss());
  sample();
  const timer = setInterval(sample, MEMORY_EVERY_MS);
  const backlog = scene.backlog(aggregates);
  const consumer = await startProcessor();
  await begin(backlog);
  for (let from = 0; from < commands; from += FILL_RECORDS) {
    await untilHandled(from - SOAK_AHEAD);
    await opened().log.append(recordsBetween(backlog, from, Math.min(commands, from + FILL_RECORDS)));
  }
  await untilHandled(beginnings + commands);
  await consumer.stop();
  beginnings = 0;
  clearInterval(timer);
  sample();
  return memory;
}

/** Aggregates that grow over several questions. */
interface Growing {
  readonly backlog: Backlog;
  events: number;
}

const growing = new Map<string, Growing>();
/** Records that the processor of growing aggregates has received. */
let grown = 0;

async function grow({ set, aggregates, commands, atOnce }: Extract<Question, { kind: 'grow' }>) {
  if (growing.size === 0) {
    const consumer = await startProcessor();
    closers.push(() => consumer.stop());
  }
  let place = growing.get(set);
  if (place === undefined) {
    place = { backlog: scene.backlog(aggregates, evenTurnOf), events: 0 };
    growing.set(set, place);
    await begin(place.backlog);
    grown += place.backlog.beginning.length;
    await untilHandled(grown);
  }
  const end = place.events + commands;
  while (place.events < end) {
    const from = place.events;
    place.events = Math.min(end, from + atOnce);
    await opened().log.append(recordsBetween(place.backlog, from, place.events));
    grown += place.events - from;
    await untilHandled(grown);
  }
  const accepted = await place.backlog.accepted(opened().store);
  const expected = Math.ceil(place.events / aggregates);
  if (accepted !== expected)
    throw new Error(`growing by ${expected} events, of which ${accepted} were accepted`);
}

async function serve(): Promise<number> {
  const { log } = opened();
  const subscriptions = scene.subscriptions(dependencies());
  const consumers = await Promise.all(subscriptions.map((subscription) => log.consume(subscription)));
  closers.push(async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))));
  const address = `gateway-${randomBytes(9).toString('hex')}`;
  const submitter = await openSubmitter({ ...opened(), clock, address });
  closers.push(() => submitter.close());
  const secrets = { secret: 'of the benchmark', previous: null, identity: 'of the benchmark' };
  const parts = {
    engine: opened(),
    settings,
    limits: scene.limits,
    secrets,
    clock,
    entropy,
    logger,
    tally,
    metering,
  };
  const gateway = assembleGateway(parts, submitter.submit, consumers, {
    routes: scene.routes(log),
    console: null,
    docs: null,
    downloads: [],
    proofs: { read: async () => ({ kind: 'failed', reason: 'dns' }) },
    runner: null,
    reports: {
      requests: { answered: () => undefined },
      board: emptyBoard(() => clock.now()),
    },
  });
  const server = await listen(gateway, { host: settings.host, port: 0 });
  closers.push(() => server.close());
  return server.port;
}

async function close(): Promise<void> {
  for (const end of closers.splice(0).reverse()) await end();
  await engine?.close();
  engine = null;
  const { cluster } = settings;
  if (cluster === null) return;
  await dropKeyspace(cluster.cassandra);
  const admin = createClient(cluster.kafka, runtimeLogger(logger)).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(cluster.kafka.prefix));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
}

async function answer(question: Question): Promise<Answer> {
  const folder = process.env['SVC_BENCH_PROFILES'];
  if (folder === undefined || question.kind === 'close') return await measured(question);
  const file = join(folder, `${question.kind}-${Date.now()}.cpuprofile`);
  if (question.kind === 'serve') {
    const served = await measured(question);
    closers.push(await startProfile(file));
    return served;
  }
  const stop = await startProfile(file);
  const result = await measured(question);
  await stop();
  return result;
}

/** Profiles the CPU from now on. Resolves with a function that ends it and leaves the profile. */
async function startProfile(file: string): Promise<() => Promise<void>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(profile));
    session.disconnect();
  };
}

async function measured(question: Question): Promise<Answer> {
  const begun = performance.now();
  const before = process.cpuUsage();
  let port = 0;
  let memory: number[] = [];
  switch (question.kind) {
    case 'open':
      await open();
      break;
    case 'fill':
      await fill(question.aggregates, question.commands);
      break;
    case 'fold':
      await fold(question.commands);
      break;
    case 'soak':
      memory = await soak(question.aggregates, question.commands);
      break;
    case 'grow':
      await grow(question);
      break;
    case 'serve':
      port = await serve();
      break;
    case 'close':
      await close();
      break;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begun, cpuMs: (user + system) / 1_000, port, memory };
}

process.on('message', (question: Question) => {
  const reply = (sent: Reply): void => void process.send?.(sent);
  answer(question).then(
    (found) => {
      reply({ answer: found });
      if (question.kind === 'close') process.exit();
    },
    (error: unknown) => reply({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});

// The parent is gone, and no other process would end this one.
process.on('disconnect', () => process.exit());
