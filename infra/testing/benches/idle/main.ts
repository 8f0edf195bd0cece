// Measures the start of a service, and its memory and CPU time while it is idle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { engineAddresses } from '../../../tools/cluster/engine-addresses.fixture.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';

const HELP = `
npm run bench:idle -- OPTIONS

Measures the start of the whole service on the embedded engine, and its resident memory 5 seconds later (Linux). Then it measures the
CPU time of an idle service: on the embedded engine, and on Kafka, Cassandra and Redis (npm run cluster -- up) beside as many consumers
of the published kafkajs. It fails if the service takes 1 % of a core on the cluster, or if Node warns. A quick run, and one without
servers, measures the embedded engine only.

  --starts 5       starts that count
`;

/** The share of one core, in percent, that an idle service may take. */
const PERCENT_MAX = 1;

const STOCK = fileURLToPath(new URL('stock-consumers.ts', import.meta.url));

/** The least that the embedded service has to keep on an idle machine with two cores. */
const TARGETS = {
  'listening-ms': { atMost: 500 },
  'idle-megabytes': { atMost: 140 },
  clusterCorePercent: { atMost: PERCENT_MAX },
} as const;

const { quick, ...options } = readBenchOptions(HELP, { starts: { type: 'string' } });
const starts = Number(options.starts ?? (quick ? 1 : 5));

/** Connections settle first: joins, metadata, compilation of the code. */
const SETTLE_MS = quick ? 500 : 15_000;
const MEASURED_MS = quick ? 1_000 : 30_000;

/** From the first answer to the reading of the memory. */
const REST_MS = quick ? 500 : 5_000;
const LOOK_EVERY_MS = 5;

const embedded = await ServiceProcess.start({ environment: { SVC_ENGINE: 'embedded', LOG_LEVEL: 'warn' } });
const started = await startAgain(embedded, starts);
const cluster = quick || engineAddresses() === null ? null : await startOnCluster();
if (cluster === null) say('leaves out the cluster and the consumers of kafkajs');
say(`waiting ${SETTLE_MS / 1_000} s, then measuring ${MEASURED_MS / 1_000} s`);
await sleep(SETTLE_MS);
const measured = cluster === null ? [embedded] : [embedded, cluster.service, cluster.stock];
const [embeddedPercent = 0, clusterPercent = 0, stockPercent = 0] = await percentages(measured);

await embedded.dispose();
await cluster?.end();
report({
  bench: 'idle',
  ours: {
    'listening-ms': percentile(started.listeningMs, 0.5),
    'idle-megabytes': percentile(started.megabytes, 0.5),
    embeddedCorePercent: embeddedPercent,
    ...(cluster !== null && { clusterCorePercent: clusterPercent }),
  },
  ratios: cluster === null ? {} : { 'stock-kafkajs-consumers': clusterPercent / stockPercent },
  targets: TARGETS,
});
const hasWarned = /Warning/.test(cluster?.service.output ?? '');
if (hasWarned) say('Node has warned of something.');
process.exitCode = clusterPercent < PERCENT_MAX && !hasWarned ? 0 : 1;

/** Starts the service on its data several times. The code is compiled, as after the first start on a machine. */
async function startAgain(service: ServiceProcess, count: number) {
  const listeningMs: number[] = [];
  const megabytes: number[] = [];
  for (let start = 0; start < count; start += 1) {
    await service.kill();
    const begun = performance.now();
    const child = service.launch();
    while (!(await isListening(service.url)) && child.exitCode === null) await sleep(LOOK_EVERY_MS);
    listeningMs.push(performance.now() - begun);
    await sleep(REST_MS);
    megabytes.push(residentMegabytes(child.pid ?? 0));
    say(`start: ${Math.round(listeningMs[start] ?? 0)} ms, ${Math.round(megabytes[start] ?? 0)} MB`);
  }
  return { listeningMs, megabytes };
}

async function isListening(url: string): Promise<boolean> {
  return await fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The resident memory of a process. Throws where there is no such process, or no `/proc`. */
function residentMegabytes(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1_024) / 1e6;
}

/** Starts a service on the cluster, and as many consumers as it has, on its topics, in a separate process. */
async function startOnCluster() {
  const environment = clusterEnvironment();
  const service = await ServiceProcess.start({ environment: { ...environment, LOG_LEVEL: 'warn' } });
  const stock = spawn(process.execPath, [STOCK], {
    env: { ...process.env, ...environment },
    // Node warns of its timers there.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(stock.stdout, 'data');
  const end = async (): Promise<void> => {
    stock.kill('SIGKILL');
    await service.dispose();
    await removeFromCluster(environment);
  };
  return { service, stock, end };
}

/** Measures the CPU time of each process for a while, in percent of one core. */
async function percentages(
  processes: readonly { readonly pid?: number | null | undefined }[],
): Promise<number[]> {
  const before = processes.map(({ pid }) => cpuMicroseconds(pid ?? 0));
  const begun = performance.now();
  await sleep(MEASURED_MS);
  const elapsedMs = performance.now() - begun;
  return processes.map(
    ({ pid }, index) => (cpuMicroseconds(pid ?? 0) - (before[index] ?? 0)) / 10 / elapsedMs,
  );
}
