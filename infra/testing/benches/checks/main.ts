// Measures runs of browser checks.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from '../../../../processors/checks/runner/program.ts';
import { launchUnguarded } from '../../../../processors/checks/runner/unguarded.fixture.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { endWithout, readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';

const HELP = `
npm run bench:checks -- OPTIONS

Measures runs of browser checks beside the same page driven with playwright-core alone. It needs Chromium. It fails if a run takes
1 second more than the page alone, if ten at once take more than 1.3 times as long, if the memory of the service grows by more than a
quarter, or if beside a page that does its worst one answer of /livez in a hundred takes more than 50 ms.

  --runs 200       runs for the figures of throughput and memory
`;

/** The most that a run may take beyond the same page driven alone. */
const OVERHEAD_MS_MAX = 1_000;
/** The most that ten runs at once may take, over ten direct drives by as many browsers. */
const PARALLEL_RATIO_MAX = 1.3;
/** The most that the memory of the service may grow between the first and the last quarter of the runs. */
const GROWTH_MAX = 1.25;
/** The longest answer of `/livez` but for one in a hundred, beside a page that does its worst. */
const LIVEZ_P99_MS_MAX = 50;
const LIVEZ_PAUSE_MS = 10;
const BROWSERS = 2;
const POLL_MS = 20;
/** Ten clients that look every 20 ms would take half of a core from the runs that they wait for. */
const PARALLEL_POLL_MS = 250;
/** Fills its console, its title and its workers. */
const WORST_PAGE = `<!doctype html><body><script>
  const line = 'x'.repeat(200_000);
  setInterval(() => { console.log(line); document.title = line + Math.random(); throw new Error(line); }, 1);
  for (let at = 0; at < 4; at += 1) new Worker(URL.createObjectURL(new Blob(['for (;;) console.log({}, [1])'])));
</script>`;
const PAGE = '<!doctype html><title>Shop</title><h1>Welcome</h1><p>Open all day</p>';

const options = readBenchOptions(HELP, { runs: { type: 'string' } });
const { quick } = options;
const runsMax = Number(options.runs ?? (quick ? 4 : 200));
const SERIAL_RUNS = quick ? 1 : 10;
const PARALLEL_RUNS = quick ? 2 : 10;
const found = findProgram({ chromium: null, sandbox: true, browsers: BROWSERS });
if ('missing' in found) endWithout(found.missing, options);

const challenges = new Map<string, string>();
const site = createServer((request, response) => {
  const challenge = challenges.get(request.url ?? '');
  response.writeHead(200, { 'Content-Type': challenge === undefined ? 'text/html' : 'text/plain' });
  response.end(challenge ?? (request.url === '/worst' ? WORST_PAGE : PAGE));
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const { port } = site.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;

const service = await ServiceProcess.start({
  limits: {
    plans: { preview: { checkRuns: 10_000, checkRunsAtOnce: PARALLEL_RUNS } },
    checks: { queueMs: 600_000 },
    http: { managementPerMinute: 1_000_000 },
  },
  environment: {
    SVC_ALLOW_LOOPBACK: '1',
    SVC_LOOPBACK_PORTS: String(port),
    SVC_RUNNER_BROWSERS: String(BROWSERS),
    LOG_LEVEL: 'warn',
  },
});

const { installationId, credential } = await send('/v1/agent/workspaces', {
  name: 'Pages',
  cohort: 'dogfood',
});
const product = `/v1/installations/${installationId}/svccheck`;
const originId = await prove();
const suiteId = await createSuite('/', 30_000);
await run();

const serial = [];
for (let count = 0; count < SERIAL_RUNS; count += 1) serial.push((await run()).ms);
const directSerial = await drives(1, SERIAL_RUNS);
const parallelMs = await parallel();
const directParallelMs = await timed(() => drives(BROWSERS, PARALLEL_RUNS));
const { perMinute, growth } = await sustain();
const { idleMs, worstMs } = await livez();

await service.dispose();
site.close();
const overheadMs = percentile(serial, 0.5) - percentile(directSerial, 0.5);
report({
  bench: 'checks',
  ours: {
    runMs: percentile(serial, 0.5),
    overheadMs,
    runsPerMinute: perMinute,
    memoryGrowth: growth,
    livezIdleP99Ms: idleMs,
    livezWorstP99Ms: worstMs,
  },
  ratios: { 'direct-drives-ten-at-once': parallelMs / directParallelMs },
});
const isGood =
  overheadMs <= OVERHEAD_MS_MAX &&
  parallelMs / directParallelMs <= PARALLEL_RATIO_MAX &&
  growth <= GROWTH_MAX &&
  worstMs <= LIVEZ_P99_MS_MAX;
process.exitCode = quick || isGood ? 0 : 1;

/** Proves the origin. Returns its id. */
async function prove(): Promise<string> {
  const verificationMethod = 'well_known_file';
  const { originId: id, challenge } = await send(`${product}/origins`, { origin, verificationMethod });
  challenges.set(new URL(challenge.url).pathname, challenge.content);
  await send(`${product}/origins/${id}/confirm`, {});
  return id;
}

/** Creates a suite that looks for the heading of one page. Returns its id. */
async function createSuite(path: string, timeoutMs: number): Promise<string> {
  const steps = [
    { action: 'goto', url: `${origin}${path}` },
    { action: 'expect_heading', text: 'Welcome' },
  ];
  const body = { originId, name: path, flows: [{ name: path, steps, timeoutMs }] };
  return (await send(`${product}/suites`, body)).suiteId;
}

/** Asks for `/livez`, one time after the other, until a promise settles. Returns the milliseconds of each answer. */
async function livezUntil(ended: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isOpen = true;
  void ended.finally(() => {
    isOpen = false;
  });
  for (; isOpen; await pause(LIVEZ_PAUSE_MS)) {
    took.push(await timed(async () => (await fetch(new URL('/livez', service.url))).text()));
  }
  return took;
}

/** Returns the 99th percentile of the answers of `/livez` beside nothing, and beside a page that does its worst. */
async function livez(): Promise<{ readonly idleMs: number; readonly worstMs: number }> {
  const idle = await livezUntil(pause(quick ? 500 : 5_000));
  const { runId } = await send(`${product}/runs`, { suiteId: await createSuite('/worst', 10_000) });
  const worst = await livezUntil(ended(runId, PARALLEL_POLL_MS));
  return { idleMs: percentile(idle, 0.99), worstMs: percentile(worst, 0.99) };
}

/** Requests ten runs at once. Returns the milliseconds from the first request to the end that the service notes for the last run. */
async function parallel(): Promise<number> {
  const begun = Date.now();
  const runs = await Promise.all(Array.from({ length: PARALLEL_RUNS }, () => run(PARALLEL_POLL_MS)));
  return Math.max(...runs.map(({ endedAt }) => endedAt)) - begun;
}

/** Runs the suite. Returns the milliseconds from the request to the answer that it has ended, and its end. */
async function run(pollMs = POLL_MS): Promise<{ readonly ms: number; readonly endedAt: number }> {
  const begun = performance.now();
  const { runId } = await send(`${product}/runs`, { suiteId });
  const { endedAt, verified, failure } = await ended(runId, pollMs);
  if (!verified) throw new Error(`running the suite: ${failure?.message}`);
  return { ms: performance.now() - begun, endedAt: Date.parse(endedAt) };
}

/** Waits for the end of a run, and returns it. */
async function ended(runId: string, pollMs: number): ReturnType<typeof send> {
  for (;;) {
    const found = await send(`${product}/runs/${runId}`);
    if (found.endedAt !== null) return found;
    await pause(pollMs);
  }
}

/** Drives the page with playwright-core alone, in warm browsers. Returns the milliseconds of each drive. */
async function drives(browsers: number, count: number): Promise<number[]> {
  const warm = await Promise.all(Array.from({ length: browsers }, () => launchUnguarded()));
  const took: number[] = [];
  let left = count;
  await Promise.all(
    warm.map(async ({ context: direct }) => {
      for (; left > 0; ) {
        left -= 1;
        const begun = performance.now();
        const context = await direct.browser()?.newContext();
        if (context === undefined) throw new Error('driving a browser without a handle');
        const page = await context.newPage();
        await page.goto(`${origin}/`);
        await page.getByRole('heading', { name: 'Welcome', exact: true }).waitFor();
        await page.screenshot();
        await context.close();
        took.push(performance.now() - begun);
      }
    }),
  );
  await Promise.all(warm.map(({ close }) => close()));
  return took;
}

/** Runs as many suites as the command line says, two at a time. */
async function sustain(): Promise<{ readonly perMinute: number; readonly growth: number }> {
  const memory: number[] = [];
  let left = runsMax;
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: BROWSERS }, async () => {
        for (; left > 0; ) {
          left -= 1;
          await run();
          memory.push(memoryOf(service.pid ?? 0));
        }
      }),
    ),
  );
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  const mean = (from: number[]) => from.reduce((sum, each) => sum + each, 0) / from.length;
  const growth = mean(memory.slice(-quarter)) / mean(memory.slice(0, quarter));
  say(`memory of the service: ${memory[0]} KiB after the first run, ${memory.at(-1)} KiB after the last`);
  return { perMinute: (runsMax * 60_000) / ms, growth };
}

/** The resident memory of a process in KiB. */
function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

// biome-ignore lint/suspicious/noExplicitAny: The caller knows what is answered.
async function send(path: string, body?: object): Promise<any> {
  const isProduct = path.includes('/svccheck');
  const versioned = isProduct ? { schemaVersion: '2026-08-24', idempotencyKey: crypto.randomUUID() } : {};
  const response = await fetch(new URL(path, service.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(isProduct && { Authorization: `Bearer ${credential}` }),
    },
    body: body === undefined ? null : JSON.stringify({ ...versioned, ...body }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
