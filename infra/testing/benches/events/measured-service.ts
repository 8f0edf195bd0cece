import { randomBytes } from 'node:crypto';
import { openSubmitter } from '../../../../gateway/http/records/submit.ts';
import { createLogger } from '../../../../gateway/http/server/logging.ts';
import { listen } from '../../../../gateway/http/server/server.ts';
import { ApprovalWaits } from '../../../../gateway/imports/delivery/approval-waits.ts';
import { emptyBoard } from '../../../../gateway/operations/empty-board.fixture.ts';
import { foldSubscription } from '../../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../../processors/runtime/dependencies.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Consumer, NewRecord, Subscription } from '../../../../topics/ports/log.ts';
import { dropKeyspace } from '../../../engines/cassandra/cassandra-engine.fixture.ts';
import { migrate } from '../../../engines/cassandra/migrate.ts';
import { createClient } from '../../../engines/kafka/client.ts';
import { openEngine } from '../../../service/engine/engine.ts';
import type { Engine } from '../../../service/engine/ports.ts';
import { PooledEntropy } from '../../../service/entropy.ts';
import { assembleGateway } from '../../../service/gateway.ts';
import { runtimeLogger } from '../../../service/logging/runtime-logger.ts';
import { meteredEngine } from '../../../service/metrics/metered-engine.ts';
import { type Metering, openMetering } from '../../../service/metrics/metering.ts';
import { ConsumerWatch } from '../../../service/reports/consumer-watch.ts';
import { Tally } from '../../../service/reports/tally.ts';
import { readSettings } from '../../../service/settings/settings.ts';
import { activateScene as scene } from '../activate/scene.ts';
import type { Question } from './protocol.ts';
import type { Backlog } from './scene.ts';
import { evenTurnOf } from './turns.ts';

/** Records of one append while a topic is filled, and appends under way at the same time. */
const FILL_RECORDS = 2_000;
const FILL_AT_ONCE = 4;

/** Commands by which appends may run ahead of the fold in a soak. */
const SOAK_AHEAD = 20_000;

const MEMORY_EVERY_MS = 1_000;

const clock = { now: () => Date.now() };
const entropy = new PooledEntropy();

/** Aggregates that grow over several questions. */
interface Growing {
  readonly backlog: Backlog;
  events: number;
}

/** One engine with fresh data, the real runtime on it, and the real gateway in front. */
export class MeasuredService {
  readonly #settings: ReturnType<typeof readSettings>;
  readonly #logger: ReturnType<typeof createLogger>;
  readonly #tally = new Tally(DEFAULT_LIMITS, clock.now);
  readonly #closers: (() => Promise<void>)[] = [];
  #engine: Engine | null = null;
  /** Like a service, it counts unless METRICS=off. */
  #metering: Metering | undefined;
  /** Records of the backlog that are no events. */
  #beginnings = 0;
  /** Rejects unless the events of the latest backlog were accepted. */
  #requireAccepted = async (): Promise<void> => undefined;
  #handled = 0;
  #onHandled: () => void = () => undefined;
  readonly #growing = new Map<string, Growing>();
  /** Records that the processor of growing aggregates has received. */
  #grown = 0;

  /** @param environment the variables of a service */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#settings = readSettings(environment);
    this.#logger = createLogger({ level: this.#settings.logLevel });
  }

  /** Called before the service ends; the last one first. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async open(): Promise<void> {
    const { cluster, metrics } = this.#settings;
    if (cluster !== null) await migrate(cluster.cassandra);
    const onFatal = (error: unknown) => {
      throw error;
    };
    const parts = { settings: this.#settings, clock, logger: this.#logger, onFatal };
    const { engine } = await openEngine(parts, entropy);
    this.#engine = engine;
    this.#metering = metrics === null ? undefined : openMetering(metrics);
    if (this.#metering === undefined) return;
    const watch = new ConsumerWatch();
    this.#engine = meteredEngine({ ...engine, log: watch.watching(engine.log) }, watch, this.#metering);
  }

  async fill(aggregates: number, commands: number): Promise<void> {
    const backlog = scene.backlog(aggregates);
    await this.#begin(backlog);
    const expected = Math.ceil(commands / aggregates);
    this.#requireAccepted = async () => {
      const accepted = await backlog.accepted(this.#opened().store);
      if (accepted !== expected)
        throw new Error(`folding ${expected} events, of which ${accepted} were accepted`);
    };
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < commands) {
        const from = next;
        next = Math.min(commands, from + FILL_RECORDS);
        await this.#opened().log.append(recordsBetween(backlog, from, next));
      }
    };
    await Promise.all(Array.from({ length: FILL_AT_ONCE }, lane));
  }

  async fold(commands: number): Promise<void> {
    const consumer = await this.#startProcessor();
    await this.#untilHandled(this.#beginnings + commands);
    await consumer.stop();
    this.#beginnings = 0;
    await this.#requireAccepted();
  }

  /** Returns the resident bytes of the process over the time. */
  async soak(aggregates: number, commands: number): Promise<number[]> {
    const memory: number[] = [];
    const sample = (): void => void memory.push(process.memoryUsage.rss());
    sample();
    const timer = setInterval(sample, MEMORY_EVERY_MS);
    const backlog = scene.backlog(aggregates);
    const consumer = await this.#startProcessor();
    await this.#begin(backlog);
    for (let from = 0; from < commands; from += FILL_RECORDS) {
      await this.#untilHandled(from - SOAK_AHEAD);
      const to = Math.min(commands, from + FILL_RECORDS);
      await this.#opened().log.append(recordsBetween(backlog, from, to));
    }
    await this.#untilHandled(this.#beginnings + commands);
    await consumer.stop();
    this.#beginnings = 0;
    clearInterval(timer);
    sample();
    return memory;
  }

  async grow({ set, aggregates, commands, atOnce }: Extract<Question, { kind: 'grow' }>): Promise<void> {
    if (this.#growing.size === 0) {
      const consumer = await this.#startProcessor();
      this.onClose(() => consumer.stop());
    }
    let place = this.#growing.get(set);
    if (place === undefined) {
      place = { backlog: scene.backlog(aggregates, evenTurnOf), events: 0 };
      this.#growing.set(set, place);
      await this.#begin(place.backlog);
      this.#grown += place.backlog.beginning.length;
      await this.#untilHandled(this.#grown);
    }
    const end = place.events + commands;
    while (place.events < end) {
      const from = place.events;
      place.events = Math.min(end, from + atOnce);
      await this.#opened().log.append(recordsBetween(place.backlog, from, place.events));
      this.#grown += place.events - from;
      await this.#untilHandled(this.#grown);
    }
    const accepted = await place.backlog.accepted(this.#opened().store);
    const expected = Math.ceil(place.events / aggregates);
    if (accepted !== expected)
      throw new Error(`growing by ${expected} events, of which ${accepted} were accepted`);
  }

  /** Starts the processors and the gateway. Returns its port. */
  async serve(): Promise<number> {
    const engine = this.#opened();
    const subscriptions = scene.subscriptions(this.#dependencies());
    const consumers = await Promise.all(
      subscriptions.map((subscription) => engine.log.consume(subscription)),
    );
    this.onClose(async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))));
    const address = `gateway-${randomBytes(9).toString('hex')}`;
    const submitter = await openSubmitter({ ...engine, clock, address });
    this.onClose(() => submitter.close());
    const secrets = { secret: 'of the benchmark', previous: null, identity: 'of the benchmark' };
    const settings = this.#settings;
    const parts = { engine, settings, limits: scene.limits, secrets, clock, entropy };
    const counts = { logger: this.#logger, tally: this.#tally, metering: this.#metering };
    const gateway = assembleGateway({ ...parts, ...counts }, submitter.submit, consumers, {
      routes: scene.routes(engine.log),
      console: null,
      docs: null,
      downloads: [],
      approvalWaits: new ApprovalWaits(engine.approvals),
      proofs: { read: async () => ({ kind: 'failed', reason: 'dns' }) },
      runner: null,
      reports: {
        requests: { answered: () => undefined },
        board: emptyBoard(() => clock.now()),
      },
    });
    const server = await listen(gateway, { host: settings.host, port: 0 });
    this.onClose(() => server.close());
    return server.port;
  }

  /** Ends everything and removes the data of a cluster. */
  async close(): Promise<void> {
    for (const end of this.#closers.splice(0).reverse()) await end();
    await this.#engine?.close();
    this.#engine = null;
    const { cluster } = this.#settings;
    if (cluster === null) return;
    await dropKeyspace(cluster.cassandra);
    const admin = createClient(cluster.kafka, runtimeLogger(this.#logger)).admin();
    await admin.connect();
    const topics = (await admin.listTopics()).filter((name) => name.startsWith(cluster.kafka.prefix));
    await admin.deleteTopics({ topics });
    await admin.disconnect();
  }

  #opened(): Engine {
    if (this.#engine === null) throw new Error('measuring before the engine is open');
    return this.#engine;
  }

  /** Appends what the aggregates of a backlog begin with. */
  async #begin({ beginning }: Backlog): Promise<void> {
    for (let from = 0; from < beginning.length; from += FILL_RECORDS) {
      await this.#opened().log.append(beginning.slice(from, from + FILL_RECORDS));
    }
    this.#beginnings += beginning.length;
  }

  #dependencies(): ProcessorDependencies {
    const logger = runtimeLogger(this.#logger);
    const counts = { meter: this.#metering?.meter, tally: this.#tally };
    return { ...this.#opened(), clock, entropy, logger, ...counts };
  }

  /** Starts only the processor of what a backlog holds, and counts from here on. */
  #startProcessor(): Promise<Consumer> {
    this.#handled = 0;
    return this.#opened().log.consume(this.#counting(foldSubscription(scene.fold, this.#dependencies())));
  }

  /** Counts what is done for good. */
  #counting(subscription: Subscription): Subscription {
    return {
      ...subscription,
      open: (assignment) => {
        const handler = subscription.open(assignment);
        return {
          handle: async (records) => {
            const progress = await handler.handle(records);
            this.#handled += records.filter(({ offset }) => offset < progress.nextOffset).length;
            this.#onHandled();
            return progress;
          },
          idle: () => handler.idle(),
          close: () => handler.close(),
        };
      },
    };
  }

  async #untilHandled(count: number): Promise<void> {
    while (this.#handled < count) {
      await new Promise<void>((resolve) => {
        this.#onHandled = resolve;
      });
    }
  }
}

function recordsBetween({ recordAt }: Backlog, from: number, to: number): NewRecord[] {
  return Array.from({ length: to - from }, (_, index) => recordAt(from + index));
}
