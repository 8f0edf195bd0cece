// What an event costs from HTTP to its durable outcome, and what a processor folds from a backlog, on both engines.
// npm run bench:events -- --help
import { readFileSync } from 'node:fs';
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
  --profile folder            leaves CPU profiles of the measured process
  --servers 12,34             processes whose CPU time is told as well
  --json                      ends with one line for machines
`;

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    commands: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '8' },
    profile: { type: 'string' },
    servers: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const commands = Number(options.commands);
const seconds = Number(options.seconds);
const servers = options.servers.split(',').filter((pid) => pid !== '');

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
    const folded = await timeFold(server, 'fold');
    keep(ours, `${engine}-fold-${aggregates}-rate`, folded.rate, `a second; CPU a command: ${folded.cpu}`);
    if (engine === 'embedded' || options.profile !== undefined) continue;
    const bare = await timeFold(server, 'fold-bare');
    tell(
      `${engine}-bare-${aggregates}-rate`,
      `${Math.round(bare.rate)} a second; CPU a command: ${bare.cpu}`,
    );
    keep(ratios, `${engine}-fold-${aggregates}`, folded.rate / bare.rate, 'of bare');
  }
}

/** Commands a second, and the CPU time that one takes here and in the servers that were named. */
async function timeFold(server: ServerProcess, kind: 'fold' | 'fold-bare') {
  const before = servers.map(cpuMsOf);
  const { ms, cpuMs } = await server.ask({ kind, commands });
  const spent = [cpuMs, ...servers.map((pid, index) => cpuMsOf(pid) - (before[index] ?? 0))];
  const micros = spent.map((one) => `${Math.round((one * 1_000) / commands)} us`);
  return { rate: (commands / ms) * 1_000, cpu: micros.join(' + ') };
}

/** The CPU time of a process so far, in milliseconds (Linux: `proc(5)`, utime and stime in hundredths of a second). */
function cpuMsOf(pid: string): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = '0', system = '0'] = fields.split(' ').slice(11);
  return (Number(user) + Number(system)) * 10;
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
