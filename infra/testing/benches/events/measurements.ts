import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { percentile, say } from '../report.ts';
import type { LoadRequest } from './connection.ts';
import { fullLoad, type Load, type Measured, steadyLoad } from './load.ts';
import { type EngineName, ServerProcess } from './server-process.ts';

export const PARTS = ['fold', 'soak', 'steady', 'http'] as const;
export type Part = (typeof PARTS)[number];

/** The load of a benchmark. */
export interface Subject {
  /** Events of a backlog, unless another number is asked for. */
  readonly backlog: Readonly<Record<EngineName, number>>;
  /** Returns the clients that call the service at a port. */
  callers(port: number): Callers;
}

export interface Callers {
  /** Returns a source of requests that takes this number of aggregates in turn. @param batch events of one request, if they travel together */
  requests(what: Called, aggregates: number, batch?: number): Promise<() => LoadRequest>;
}

/** The route that is called: the one that answers with an event's outcome, or the one that only appends. */
export type Called = 'events' | 'appends';

export interface MeasurementOptions {
  /** True: few aggregates and callers. */
  readonly quick: boolean;
  /** Of a backlog; null: as many as the part usually has. */
  readonly commands: number | null;
  readonly seconds: number;
  readonly servers: readonly number[];
  readonly profileFolder: string | null;
  /** Events of one request; null: each has a separate request, and is compared with appends. */
  readonly batch: number | null;
}

type Figures = Record<string, number>;

type LoadOf = (what: Called, aggregates: number, batch?: number) => Promise<Load>;

/** One installation that everybody talks to, a few busy ones, and many. */
const ONE = 1;
const FEW = 10;
const MANY = 1_000;
const QUICK_MANY = 20;

const SOAK_COMMANDS = 1_000_000;

/** Requests a second of a machine that has little to do. */
const STEADY_RATE = 200;

/** Backends that send events together. They keep the service busy, and stay within what one caller may let wait. */
const CALLERS_OF_BATCHES = 16;

const MEGABYTE = 1_048_576;

/** Runs the parts of the benchmark and keeps what they measured. */
export class Measurements {
  readonly figures = { ours: {} as Figures, ratios: {} as Figures };
  readonly #subject: Subject;
  readonly #options: MeasurementOptions;
  readonly #many: number;

  constructor(subject: Subject, options: MeasurementOptions) {
    this.#subject = subject;
    this.#options = options;
    this.#many = options.quick ? QUICK_MANY : MANY;
  }

  /** Measures parts on one engine, in a separate process. */
  async of(engine: EngineName, parts: readonly Part[]): Promise<void> {
    const { profileFolder } = this.#options;
    const server = await ServerProcess.start({ engine, profileFolder });
    try {
      if (parts.includes('fold')) await this.#fold(engine, server);
      if (parts.includes('soak')) await this.#soak(engine, server);
      if (!parts.includes('steady') && !parts.includes('http')) return;
      const { port } = await server.ask({ kind: 'serve' });
      const loadOf = this.#loadsAt(port);
      if (parts.includes('steady')) await this.#steady(engine, loadOf);
      const { batch } = this.#options;
      if (parts.includes('http'))
        await (batch === null ? this.#http(engine, loadOf) : this.#batches(engine, loadOf, batch));
    } finally {
      await server.close();
    }
  }

  /** A filled topic, until the last command is durable. */
  async #fold(engine: EngineName, server: ServerProcess): Promise<void> {
    const commands = this.#options.commands ?? this.#subject.backlog[engine];
    for (const aggregates of [FEW, this.#many]) {
      await server.ask({ kind: 'fill', aggregates, commands });
      this.#keep('ours', `${engine}-fold-${aggregates}-per-second`, await this.#timeFold(server, commands));
    }
  }

  /** Commands a second. */
  async #timeFold(server: ServerProcess, commands: number): Promise<number> {
    const [{ ms, cpuMs }, spent] = await this.#spentDuring(server.ask({ kind: 'fold', commands }));
    const rate = (commands / ms) * 1_000;
    const cpu = [cpuMs * 1_000, ...spent].map((micros) => Math.round(micros / commands));
    say(`fold: ${Math.round(rate)} commands a second, CPU microseconds for each: ${cpu.join(' + ')}`);
    return rate;
  }

  /** Memory after all commands, over that after a fifth of them. */
  async #soak(engine: EngineName, server: ServerProcess): Promise<void> {
    const commands = this.#options.commands ?? SOAK_COMMANDS;
    const { ms, memory } = await server.ask({ kind: 'soak', aggregates: this.#many, commands });
    const fifth = Math.ceil(memory.length / 5);
    const early = percentile(memory.slice(fifth, 2 * fifth), 0.5);
    const late = percentile(memory.slice(-fifth), 0.5);
    this.#keep('ours', `${engine}-soak-per-second`, (commands / ms) * 1_000);
    this.#keep('ours', `${engine}-soak-megabytes`, late / MEGABYTE);
    this.#keep('ratios', `${engine}-soak-earlier-memory`, late / early);
  }

  async #steady(engine: EngineName, loadOf: LoadOf): Promise<void> {
    const load = await loadOf('events', this.#many);
    this.#keepMeasured(`${engine}-steady-${STEADY_RATE}`, await steadyLoad(load, STEADY_RATE));
  }

  /** Appends are measured before and after, so that a machine that grows slower meanwhile favours neither. */
  async #http(engine: EngineName, loadOf: LoadOf): Promise<void> {
    const before = await fullLoad(await loadOf('appends', this.#many));
    const one = await fullLoad(await loadOf('events', ONE));
    const [many, spent] = await this.#spentDuring(fullLoad(await loadOf('events', this.#many)));
    const cpu = spent.map((micros) => Math.round(micros / many.answered));
    if (cpu.length > 0) say(`servers, CPU microseconds for each event: ${cpu.join(' + ')}`);
    const after = await fullLoad(await loadOf('appends', this.#many));
    this.#keepMeasured(`${engine}-http-${ONE}`, one);
    this.#keepMeasured(`${engine}-http-${this.#many}`, many);
    const appended = (before.rate + after.rate) / 2;
    say(`append-only: ${Math.round(appended)} a second`);
    this.#keep('ratios', `${engine}-append-only-${ONE}`, one.rate / appended);
    this.#keep('ratios', `${engine}-append-only-${this.#many}`, many.rate / appended);
  }

  /** Events that travel together. */
  async #batches(engine: EngineName, loadOf: LoadOf, batch: number): Promise<void> {
    for (const aggregates of [ONE, this.#many]) {
      const [measured, spent] = await this.#spentDuring(fullLoad(await loadOf('events', aggregates, batch)));
      const cpu = spent.map((micros) => Math.round(micros / (measured.answered * batch)));
      if (cpu.length > 0) say(`servers, CPU microseconds for each event: ${cpu.join(' + ')}`);
      const name = `${engine}-batch-${batch}-http-${aggregates}`;
      this.#keepMeasured(name, { ...measured, rate: measured.rate * batch });
    }
  }

  /** Returns what the work returns, and the CPU time that each of `--servers` took meanwhile. */
  async #spentDuring<Result>(work: Promise<Result>): Promise<[Result, number[]]> {
    const { servers } = this.#options;
    const before = servers.map(cpuMicroseconds);
    const result = await work;
    return [result, servers.map((pid, index) => cpuMicroseconds(pid) - (before[index] ?? 0))];
  }

  #loadsAt(port: number): LoadOf {
    const callers = this.#subject.callers(port);
    return async (what, aggregates, batch) => ({
      port,
      seconds: this.#options.seconds,
      quick: this.#options.quick,
      ...(batch === undefined ? {} : { callers: CALLERS_OF_BATCHES }),
      next: await callers.requests(what, aggregates, batch),
    });
  }

  #keepMeasured(name: string, { rate, latencies }: Measured): void {
    this.#keep('ours', `${name}-per-second`, rate);
    // A service that answers nothing but 503 has no latencies.
    if (latencies.length === 0) return;
    this.#keep('ours', `${name}-p50-ms`, percentile(latencies, 0.5));
    this.#keep('ours', `${name}-p99-ms`, percentile(latencies, 0.99));
  }

  #keep(where: keyof typeof this.figures, name: string, value: number): void {
    this.figures[where][name] = value;
  }
}
