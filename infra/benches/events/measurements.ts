import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { percentile, say } from '../report.ts';
import { fullLoad, type Load, type Measured, steadyLoad } from './load.ts';
import { type EngineName, ServerProcess } from './server-process.ts';

export const PARTS = ['fold', 'soak', 'steady', 'http'] as const;
export type Part = (typeof PARTS)[number];

export interface MeasurementOptions {
  /** Of a backlog; null: as many as the part usually has. */
  readonly commands: number | null;
  readonly seconds: number;
  readonly servers: readonly number[];
  readonly profileFolder: string | null;
}

type Figures = Record<string, number>;

/** One installation that everybody talks to, a few busy ones, and many. */
const ONE = 1;
const FEW = 10;
const MANY = 1_000;

const BACKLOG_COMMANDS = 200_000;
const SOAK_COMMANDS = 1_000_000;

/** Requests a second of a machine that has little to do. */
const STEADY_RATE = 200;

const EVENTS = '/v1/bench/events';
const APPENDS = '/v1/bench/appends';
const MEGABYTE = 1_048_576;

/** Runs the parts of the benchmark and keeps what they measured. */
export class Measurements {
  readonly figures = { ours: {} as Figures, ratios: {} as Figures };
  readonly #options: MeasurementOptions;

  constructor(options: MeasurementOptions) {
    this.#options = options;
  }

  /** Measures parts on one engine, in a process of its own. */
  async of(engine: EngineName, parts: readonly Part[]): Promise<void> {
    const server = await ServerProcess.start(engine, this.#options.profileFolder);
    try {
      if (parts.includes('fold')) await this.#fold(engine, server);
      if (parts.includes('soak')) await this.#soak(engine, server);
      if (!parts.includes('steady') && !parts.includes('http')) return;
      const { port } = await server.ask({ kind: 'serve' });
      if (parts.includes('steady')) await this.#steady(engine, port);
      if (parts.includes('http')) await this.#http(engine, port);
    } finally {
      await server.close();
    }
  }

  /** A filled topic, until the last command is durable; on the cluster also without anything of ours. */
  async #fold(engine: EngineName, server: ServerProcess): Promise<void> {
    const commands = this.#options.commands ?? BACKLOG_COMMANDS;
    for (const aggregates of [FEW, MANY]) {
      await server.ask({ kind: 'fill', aggregates, commands });
      const rate = await this.#timeFold(server, 'fold', commands);
      this.#keep('ours', `${engine}-fold-${aggregates}-per-second`, rate);
      if (engine === 'embedded') continue;
      const bare = await this.#timeFold(server, 'fold-bare', commands);
      this.#keep('ratios', `${engine}-fold-${aggregates}-bare`, rate / bare);
    }
  }

  /** Commands a second. */
  async #timeFold(server: ServerProcess, kind: 'fold' | 'fold-bare', commands: number): Promise<number> {
    const { servers } = this.#options;
    const before = servers.map(cpuMicroseconds);
    const { ms, cpuMs } = await server.ask({ kind, commands });
    const spent = servers.map((pid, index) => cpuMicroseconds(pid) - (before[index] ?? 0));
    const rate = (commands / ms) * 1_000;
    const cpu = [cpuMs * 1_000, ...spent].map((micros) => Math.round(micros / commands));
    say(`${kind}: ${Math.round(rate)} commands a second, CPU microseconds for each: ${cpu.join(' + ')}`);
    return rate;
  }

  /** Memory after all commands, over that after a fifth of them. */
  async #soak(engine: EngineName, server: ServerProcess): Promise<void> {
    const commands = this.#options.commands ?? SOAK_COMMANDS;
    const { ms, memory } = await server.ask({ kind: 'soak', aggregates: MANY, commands });
    const fifth = Math.ceil(memory.length / 5);
    const early = percentile(memory.slice(fifth, 2 * fifth), 0.5);
    const late = percentile(memory.slice(-fifth), 0.5);
    this.#keep('ours', `${engine}-soak-per-second`, (commands / ms) * 1_000);
    this.#keep('ours', `${engine}-soak-megabytes`, late / MEGABYTE);
    this.#keep('ratios', `${engine}-soak-earlier-memory`, late / early);
  }

  async #steady(engine: EngineName, port: number): Promise<void> {
    const load = { ...this.#load(port), path: EVENTS, aggregates: MANY };
    this.#keepMeasured(`${engine}-steady-${STEADY_RATE}`, await steadyLoad(load, STEADY_RATE));
  }

  /** Appends are measured before and after, so that a machine that grows slower meanwhile favours neither. */
  async #http(engine: EngineName, port: number): Promise<void> {
    const appends = { ...this.#load(port), path: APPENDS, aggregates: MANY };
    const events = { ...this.#load(port), path: EVENTS };
    const before = await fullLoad(appends);
    const one = await fullLoad({ ...events, aggregates: ONE });
    const many = await fullLoad({ ...events, aggregates: MANY });
    const after = await fullLoad(appends);
    this.#keepMeasured(`${engine}-http-${ONE}`, one);
    this.#keepMeasured(`${engine}-http-${MANY}`, many);
    const appended = (before.rate + after.rate) / 2;
    say(`append-only: ${Math.round(appended)} a second`);
    this.#keep('ratios', `${engine}-append-only-${ONE}`, one.rate / appended);
    this.#keep('ratios', `${engine}-append-only-${MANY}`, many.rate / appended);
  }

  #load(port: number): Pick<Load, 'port' | 'seconds'> {
    return { port, seconds: this.#options.seconds };
  }

  #keepMeasured(name: string, { rate, latencies }: Measured): void {
    this.#keep('ours', `${name}-per-second`, rate);
    this.#keep('ours', `${name}-p50-ms`, percentile(latencies, 0.5));
    this.#keep('ours', `${name}-p99-ms`, percentile(latencies, 0.99));
  }

  #keep(where: keyof typeof this.figures, name: string, value: number): void {
    this.figures[where][name] = value;
  }
}
