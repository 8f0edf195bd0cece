// Measures the CPU time of an idle service, on Kafka, Cassandra and Redis and on the embedded engine, beside as many
// consumers of the published kafkajs. `npm run bench:idle`, with a cluster (`npm run cluster -- up`).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { engineAddresses } from '../../../tools/cluster/engine-addresses.fixture.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { report, say } from '../report.ts';

/** Connections settle first: joins, metadata, compilation of the code. */
const SETTLE_MS = 15_000;
const MEASURED_MS = 30_000;

/** The share of one core, in percent, that an idle service may take. */
const PERCENT_MAX = 1;

const STOCK = fileURLToPath(new URL('stock-consumers.ts', import.meta.url));

if (engineAddresses() === null) throw new Error('measuring an idle service without a cluster');

const environment = clusterEnvironment();
const onCluster = await ServiceProcess.start({ environment: { ...environment, LOG_LEVEL: 'warn' } });
const embedded = await ServiceProcess.start({ environment: { SVC_ENGINE: 'embedded', LOG_LEVEL: 'warn' } });
const stock = await startStock();
say(`waiting ${SETTLE_MS / 1_000} s, then measuring ${MEASURED_MS / 1_000} s`);
await sleep(SETTLE_MS);
const [clusterPercent, embeddedPercent, stockPercent] = await percentages([onCluster, embedded, stock]);
const hasWarned = /Warning/.test(onCluster.output);

stock.kill('SIGKILL');
await embedded.dispose();
await onCluster.dispose();
await removeFromCluster(environment);
report({
  bench: 'idle',
  ours: { clusterCorePercent: clusterPercent, embeddedCorePercent: embeddedPercent },
  ratios: { 'stock-kafkajs-consumers': clusterPercent / stockPercent },
});
if (hasWarned) say('Node has warned of something.');
process.exitCode = clusterPercent < PERCENT_MAX && !hasWarned ? 0 : 1;

/** Starts as many consumers as the service has, on its topics, in a separate process. */
async function startStock(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [STOCK], {
    env: { ...process.env, ...environment },
    // Node warns of its timers there.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** Measures the CPU time of each process for a while, in percent of one core. */
async function percentages(
  processes: readonly [
    { pid?: number | null | undefined },
    { pid?: number | null | undefined },
    ChildProcess,
  ],
): Promise<readonly [number, number, number]> {
  const before = processes.map(({ pid }) => cpuMicroseconds(pid ?? 0));
  const begun = performance.now();
  await sleep(MEASURED_MS);
  const elapsedMs = performance.now() - begun;
  const [first = 0, second = 0, third = 0] = processes.map(
    ({ pid }, index) => (cpuMicroseconds(pid ?? 0) - (before[index] ?? 0)) / 10 / elapsedMs,
  );
  return [first, second, third];
}
