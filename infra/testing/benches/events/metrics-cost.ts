import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { percentile, say } from '../report.ts';
import type { LoadRequest } from './connection.ts';
import { fullLoad } from './load.ts';
import { type EngineName, ServerProcess } from './server-process.ts';

/** Pairs of processes. Two processes that do the same differ by some per cent, in how their code and memory are laid out. */
const PAIRS = 7;

/** Measured turns of each process of a pair. */
const ROUNDS = 4;

/** Commands of the backlog of one turn. */
const COMMANDS = 20_000;

interface MetricsCostOptions {
  readonly quick: boolean;
  readonly commands: number | null;
  readonly seconds: number;
  readonly engine: EngineName;
  readonly aggregates: number;
  /** Returns the source of requests to a service. */
  readonly requests: (port: number) => Promise<() => LoadRequest>;
}

/** Measures once. Returns CPU microseconds. */
type Turn = () => Promise<number>;

interface Cost {
  readonly fold: number;
  readonly http: number;
}

/**
 * The CPU time of processes that count over that of processes that do not: for a command of a backlog, and for an event over HTTP.
 * It is the median of several pairs of processes.
 */
export async function metricsCost(options: MetricsCostOptions): Promise<Cost> {
  const pairs: Cost[] = [];
  while (pairs.length < (options.quick ? 1 : PAIRS)) pairs.push(await costInPair(options));
  const medianOf = (part: keyof Cost) => {
    const ratios = pairs.map((pair) => pair[part]);
    say(`${part}: pairs ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`);
    return percentile(ratios, 0.5);
  };
  return { fold: medianOf('fold'), http: medianOf('http') };
}

/** The processes take turns, each first in every second round, so that a machine that changes its pace favours neither. */
async function costInPair(options: MetricsCostOptions): Promise<Cost> {
  const { engine, quick } = options;
  const counting = await ServerProcess.start({ engine, metrics: 'on' });
  const silent = await ServerProcess.start({ engine, metrics: 'off' });
  try {
    const fold = await ratioOf('fold', quick, {
      counting: () => foldOnce(options, counting),
      silent: () => foldOnce(options, silent),
    });
    const http = await ratioOf('http', quick, {
      counting: await caller(options, counting),
      silent: await caller(options, silent),
    });
    return { fold, http };
  } finally {
    await silent.close();
    await counting.close();
  }
}

/** The CPU microseconds of the one process over those of the other one, each summed over its rounds. */
async function ratioOf(what: string, quick: boolean, turns: Readonly<Record<'counting' | 'silent', Turn>>) {
  const total = { counting: 0, silent: 0 };
  // Code is compiled in the first round, which does not count.
  for (let round = 0; round <= (quick ? 1 : ROUNDS); round += 1) {
    const order = round % 2 === 0 ? (['counting', 'silent'] as const) : (['silent', 'counting'] as const);
    for (const name of order) {
      const micros = await turns[name]();
      say(`${what}, ${name}: ${micros.toFixed(1)} CPU microseconds`);
      if (round > 0) total[name] += micros;
    }
  }
  return total.counting / total.silent;
}

/** CPU microseconds of a command of a backlog. */
async function foldOnce(options: MetricsCostOptions, server: ServerProcess): Promise<number> {
  const commands = options.commands ?? COMMANDS;
  await server.ask({ kind: 'fill', aggregates: options.aggregates, commands });
  const { cpuMs } = await server.ask({ kind: 'fold', commands });
  return (cpuMs * 1_000) / commands;
}

/** Returns a function that loads the service. It returns the CPU microseconds of an event. */
async function caller(
  { requests, quick, seconds }: MetricsCostOptions,
  server: ServerProcess,
): Promise<Turn> {
  const { port } = await server.ask({ kind: 'serve' });
  const request = await requests(port);
  return async () => {
    let sent = 0;
    const next = () => {
      sent += 1;
      return request();
    };
    const before = cpuMicroseconds(server.pid);
    await fullLoad({ port, seconds, quick, next });
    return (cpuMicroseconds(server.pid) - before) / sent;
  };
}
