// What an event costs from HTTP to its durable outcome, and what a processor folds from a backlog, on both engines.
// npm run bench:events -- --help
import { parseArgs } from 'node:util';
import { fullLoad, type Measured, steadyLoad } from './load.ts';
import { type EngineName, ServerProcess } from './server-process.ts';

const MANY = 1_000;
const FEW = 10;
const STEADY_RATE = 200;
const EVENTS = '/v1/bench/events';
const APPENDS = '/v1/bench/appends';
const SOAK_COMMANDS = 1_000_000;

const HELP = `npm run bench:events -- [options]
  --engine embedded|cluster   one engine only; the cluster is that of npm run cluster -- up
  --only http|steady|fold|soak  one part only; soak runs when it is asked for
  --commands 200000           commands of each backlog
  --seconds 8                 of each measurement over HTTP
  --profile folder            leaves a CPU profile of the measured process
  --json                      ends with one line for machines
`;

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    commands: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '8' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const commands = Number(options.commands);
const seconds = Number(options.seconds);

type Figures = Record<string, number>;
const ours: Figures = {};
const ratios: Figures = {};

function tell(name: string, what: string): void {
  process.stdout.write(`${name.padEnd(36)} ${what}\n`);
}

function keep(figures: Figures, name: string, value: number, unit: string): void {
  figures[name] = Number(value.toPrecision(4));
  tell(name, `${figures[name]} ${unit}`);
}

function keepMeasured(name: string, { rate, latencies }: Measured): void {
  keep(ours, `${name}-rate`, rate, 'a second');
  keep(ours, `${name}-p50`, latencies.p50, 'ms');
  keep(ours, `${name}-p99`, latencies.p99, 'ms');
}

async function measureHttp(engine: EngineName, port: number): Promise<void> {
  const load = { port, seconds };
  // Twice around the others, so that a machine that grows slower meanwhile favours neither.
  const before = await fullLoad({ ...load, path: APPENDS, aggregates: MANY });
  const one = await fullLoad({ ...load, path: EVENTS, aggregates: 1 });
  const many = await fullLoad({ ...load, path: EVENTS, aggregates: MANY });
  const after = await fullLoad({ ...load, path: APPENDS, aggregates: MANY });
  keepMeasured(`${engine}-http-1`, one);
  keepMeasured(`${engine}-http-${MANY}`, many);
  keepMeasured(`${engine}-append-only`, after);
  const appended = (before.rate + after.rate) / 2;
  keep(ratios, `${engine}-append-only-1`, one.rate / appended, 'of append-only');
  keep(ratios, `${engine}-append-only-${MANY}`, many.rate / appended, 'of append-only');
}

async function measureSteady(engine: EngineName, port: number): Promise<void> {
  const load = { port, seconds, path: EVENTS, aggregates: MANY };
  keepMeasured(`${engine}-steady-${STEADY_RATE}`, await steadyLoad(load, STEADY_RATE));
}

async function measureFold(engine: EngineName, server: ServerProcess): Promise<void> {
  for (const aggregates of [FEW, MANY]) {
    await server.ask({ kind: 'fill', aggregates, commands });
    const folded = await server.ask({ kind: 'fold', commands });
    const rate = (commands / folded.ms) * 1_000;
    keep(ours, `${engine}-fold-${aggregates}-rate`, rate, `a second, ${Math.round(folded.cpuMs)} ms of CPU`);
    if (engine === 'embedded' || options.profile !== undefined) continue;
    const bare = await server.ask({ kind: 'fold-bare', commands });
    tell(
      `${engine}-bare-${aggregates}-rate`,
      `${Math.round((commands / bare.ms) * 1_000)} a second, ${Math.round(bare.cpuMs)} ms of CPU`,
    );
    keep(ratios, `${engine}-fold-${aggregates}`, bare.ms / folded.ms, 'of bare');
  }
}

async function measureSoak(engine: EngineName, server: ServerProcess): Promise<void> {
  const { ms, memory } = await server.ask({ kind: 'soak', aggregates: MANY, commands: SOAK_COMMANDS });
  keep(ours, `${engine}-soak-rate`, (SOAK_COMMANDS / ms) * 1_000, 'a second');
  const fifth = Math.ceil(memory.length / 5);
  const early = mean(memory.slice(fifth, 2 * fifth));
  const late = mean(memory.slice(-fifth));
  keep(ours, `${engine}-soak-memory`, late / 1_048_576, 'MB at the end');
  keep(ratios, `${engine}-soak-memory`, late / early, 'of the memory after a fifth of the way');
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isWanted(part: string): boolean {
  return options.only === undefined ? part !== 'soak' : options.only === part;
}

async function measure(engine: EngineName): Promise<void> {
  const server = await ServerProcess.start(engine, options.profile ?? null);
  try {
    if (isWanted('fold')) await measureFold(engine, server);
    if (isWanted('soak')) await measureSoak(engine, server);
    if (isWanted('http') || isWanted('steady')) {
      const { port } = await server.ask({ kind: 'serve' });
      if (isWanted('steady')) await measureSteady(engine, port);
      if (isWanted('http')) await measureHttp(engine, port);
    }
  } finally {
    await server.close();
  }
}

if (options.help) process.stdout.write(HELP);
else {
  for (const engine of ['embedded', 'cluster'] as const) {
    if (options.engine === undefined || options.engine === engine) await measure(engine);
  }
  if (options.json) process.stdout.write(`${JSON.stringify({ bench: 'events', ours, ratios })}\n`);
}
