import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { percentile, say } from '../report.ts';
import type { LoadRequest } from './connection.ts';
import { fullLoad } from './load.ts';
import { type EngineName, ServerProcess } from './server-process.ts';

/** Measured turns of each process. */
const ROUNDS = 16;

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

/**
 * The CPU time of a process that counts over that of one that does not: for a command of a backlog, and for an event over HTTP.
 * The processes take turns, each first in every second round, so that a machine that changes its pace favours neither.
 */
export async function metricsCost(options: MetricsCostOptions): Promise<{ fold: number; http: number }> {
  const { engine } = options;
  const counting = await ServerProcess.start({ engine, metrics: 'on' });
  const silent = await ServerProcess.start({ engine, metrics: 'off' });
  try {
    const fold = await ratioOf(
      'fold',
      options.quick,
      () => foldOnce(options, counting),
      () => foldOnce(options, silent),
    );
    const http = await ratioOf(
      'http',
      options.quick,
      await caller(options, counting),
      await caller(options, silent),
    );
    return { fold, http };
  } finally {
    await silent.close();
    await counting.close();
  }
}

/** The median over the rounds of what the one process takes over what the other one takes, in CPU microseconds. */
async function ratioOf(
  what: string,
  quick: boolean,
  counting: () => Promise<number>,
  silent: () => Promise<number>,
): Promise<number> {
  const ratios: number[] = [];
  // Code is compiled in the first round, which does not count.
  for (let round = 0; round <= (quick ? 1 : ROUNDS); round += 1) {
    const before = round % 2 === 0 ? null : await silent();
    const ours = await counting();
    const theirs = before ?? (await silent());
    say(`${what}: CPU microseconds with metrics ${ours.toFixed(1)}, without ${theirs.toFixed(1)}`);
    if (round > 0) ratios.push(ours / theirs);
  }
  return percentile(ratios, 0.5);
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
): Promise<() => Promise<number>> {
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
