// Measures the CPU time of an idle service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { engineAddresses } from '../../../tools/cluster/engine-addresses.fixture.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { endWithout, readBenchOptions } from '../options.ts';
import { report, say } from '../report.ts';

const HELP = `
npm run bench:idle -- OPTIONS

Measures the CPU time of an idle service: on Kafka, Cassandra and Redis (npm run cluster -- up), beside as many consumers of the
published kafkajs, and on the embedded engine. It fails if the service takes 1 % of a core on the cluster, or if Node warns.
A quick run measures the embedded engine only.

`;

/** The share of one core, in percent, that an idle service may take. */
const PERCENT_MAX = 1;

const STOCK = fileURLToPath(new URL('stock-consumers.ts', import.meta.url));

const { quick } = readBenchOptions(HELP, {});
if (!quick && engineAddresses() === null)
  endWithout('No cluster: npm run cluster -- up starts it.', { quick });

/** Connections settle first: joins, metadata, compilation of the code. */
const SETTLE_MS = quick ? 500 : 15_000;
const MEASURED_MS = quick ? 1_000 : 30_000;

const embedded = await ServiceProcess.start({ environment: { SVC_ENGINE: 'embedded', LOG_LEVEL: 'warn' } });
const cluster = quick ? null : await startOnCluster();
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
    embeddedCorePercent: embeddedPercent,
    ...(cluster !== null && { clusterCorePercent: clusterPercent }),
  },
  ratios: cluster === null ? {} : { 'stock-kafkajs-consumers': clusterPercent / stockPercent },
});
const hasWarned = /Warning/.test(cluster?.service.output ?? '');
if (hasWarned) say('Node has warned of something.');
process.exitCode = clusterPercent < PERCENT_MAX && !hasWarned ? 0 : 1;

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
