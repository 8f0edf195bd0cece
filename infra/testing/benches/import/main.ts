// Measures imports of a full-size file.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, createWorkspace, type Schema } from '../../../demo/agent.ts';
import { Client } from '../../../demo/client.ts';
import { readDataJson } from '../../../demo/files.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';
import { retryUnavailable, unavailableAnswers } from '../unavailable.ts';
import { FULL_SIZE, fileOf, QUICK_SIZE } from './file.ts';
import { type Parser, parseWithFastCsv, parseWithPapaParse } from './parsers.ts';

const HELP = `
npm run bench:import -- OPTIONS

Measures a full-size file from its upload to the status "ready", beside two parsers that only read the same bytes, and then beside four
others of its kind.

  --runs 9         runs that count; more give quieter figures
  --profile FOLDER leaves a CPU profile of the event loop
`;

const TARGETS = {
  peakMegabytes: { atMost: 200 },
  p95BesideFourMs: { atMost: 1_000 },
  'fast-csv': { atLeast: 2 },
  papaparse: { atLeast: 0.4 },
} as const;

/** Interval between reads of the status: a small part of a run's duration, and long enough to add little load. */
const POLL_MS = 10;

/** Imports at the same time: each is beside four others. */
const AT_ONCE = 5;

/** A run that takes longer has failed. */
const RUN_MS_MAX = 60_000;

const MANY = 1_000_000;
const LIMITS = {
  plans: {
    preview: { imports: MANY, importFileBytes: FULL_SIZE.bytes, importRows: FULL_SIZE.rows },
  },
  http: { managementPerMinute: MANY, uploadsPerMinute: MANY },
};

const options = readBenchOptions(HELP, { runs: { type: 'string' }, profile: { type: 'string' } });
const { quick } = options;
const size = quick ? QUICK_SIZE : FULL_SIZE;
/** Runs before those that count: code is compiled, threads and connections are there. */
const WARM_UP_RUNS = quick ? 0 : 3;

const bytes = await fileOf(size);
const profiling =
  options.profile === undefined
    ? {}
    : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(options.profile)}` };
const service = await ServiceProcess.start({
  limits: LIMITS,
  environment: { LOG_LEVEL: 'error', ...profiling },
});
try {
  await measure(service, Number(options.runs ?? (quick ? 1 : 9)));
  // A process that is killed leaves no profile.
  if (options.profile !== undefined) await service.stop();
} finally {
  await service.dispose();
}

async function measure({ url, pid }: ServiceProcess, count: number): Promise<void> {
  const client = new Client(url);
  const importOnce = await importerIn(client);
  // A workspace validates one import at a time.
  const importers = [importOnce];
  while (importers.length < AT_ONCE) importers.push(await importerIn(client));
  const times = { ours: [] as number[], fastCsv: [] as number[], papaParse: [] as number[] };
  say(`${size.rows} rows, ${bytes.length} bytes, ${count} runs`);
  for (let run = 0; run < WARM_UP_RUNS + count; run += 1) {
    const ours = await importOnce();
    const fastCsv = await parseOnce(parseWithFastCsv);
    const papaParse = await parseOnce(parseWithPapaParse);
    if (run < WARM_UP_RUNS) continue;
    times.ours.push(ours);
    times.fastCsv.push(fastCsv);
    times.papaParse.push(papaParse);
  }
  // Read before several imports at once need more of it.
  const peak = pid === null ? {} : peakMemory(pid);
  const beside: number[] = [];
  for (let run = 0; run < count; run += 1) {
    beside.push(...(await Promise.all(importers.map((importEach) => importEach()))));
  }
  const seconds = percentile(times.ours, 0.5) / 1_000;
  report({
    bench: 'import',
    ours: {
      rowsPerSecond: size.rows / seconds,
      megabytesPerSecond: bytes.length / 1e6 / seconds,
      medianMs: seconds * 1_000,
      slowestMs: Math.max(...times.ours),
      'answers-with-503': unavailableAnswers(),
      ...peak,
      p95BesideFourMs: percentile(beside, 0.95),
    },
    ratios: {
      'fast-csv': percentile(times.fastCsv, 0.5) / percentile(times.ours, 0.5),
      papaparse: percentile(times.papaParse, 0.5) / percentile(times.ours, 0.5),
    },
    targets: TARGETS,
  });
}

/** Makes a workspace, and returns a function that imports the file into it as {@link importFile} does. */
async function importerIn(client: Client): Promise<() => Promise<number>> {
  const agent = new Agent(client, await retryUnavailable(() => createWorkspace(client, 'Benchmark')));
  const schema = await retryUnavailable(() => agent.configureSchema('schema', readDataJson('schema.json')));
  return () => retryUnavailable(() => importFile(agent, schema));
}

/** Resolves with the milliseconds from the first byte of the upload to the status `ready`. */
async function importFile(agent: Agent, schema: Schema): Promise<number> {
  const key = randomUUID();
  const reservation = await agent.reserveImport(key, schema, bytes);
  const { importId } = reservation;
  const begun = performance.now();
  await agent.upload(reservation, bytes);
  await agent.map(importId, readDataJson('mapping.json'));
  await agent.validate(key, importId);
  while (performance.now() - begun < RUN_MS_MAX) {
    const { status, rows } = await agent.status(importId);
    if (status === 'ready' && rows.valid === size.rows) return performance.now() - begun;
    if (status !== 'validating') throw new Error(`importing a sound file: seen ${status}`);
    await sleep(POLL_MS);
  }
  throw new Error(`importing a file within ${RUN_MS_MAX} ms`);
}

async function parseOnce(parser: Parser): Promise<number> {
  const begun = performance.now();
  const rows = await parser(bytes);
  if (rows !== size.rows) throw new Error(`parsing ${size.rows} rows: seen ${rows}`);
  return performance.now() - begun;
}

/** The most memory that the service has held, where the system tells (Linux). */
function peakMemory(pid: number): { readonly peakMegabytes?: number } {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? {} : { peakMegabytes: (Number(kibibytes) * 1_024) / 1e6 };
  } catch {
    return {};
  }
}
