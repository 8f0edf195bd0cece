// Measures the time from an approval to its first batch at a backend that waits, and what waiting costs the gateway.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { delivery } from '../../../../cli/client/delivery.ts';
import { WAITS_OF_CAPABILITY_MAX } from '../../../../gateway/imports/delivery/approval-waits.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ImportsCustomer } from '../../e2e/imports/imports-customer.fixture.ts';
import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';

const HELP = `
npm run bench:delivery -- OPTIONS

Starts the whole service on the embedded engine. It measures how long after the answer to an approval the first batch is in the hands of
a backend that waits (delivery({ follow: true })). Then requests of other capabilities wait, and it measures the resident memory and the
CPU time that they cost (Linux).

  --waits 1000     requests that wait
  --approvals 40   approvals
`;

const TARGETS = {
  'first-batch-ms': { atMost: 100 },
  'waits-megabytes': { atMost: 50 },
  'waits-core-percent': { atMost: 1 },
} as const;

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'code', target: 'code' }];
const LIMITS = {
  http: { managementPerMinute: 100_000, deliveryPerMinute: 100_000, uploadsPerMinute: 100_000 },
  plans: { preview: { imports: 10_000 } },
  imports: { capabilitiesPerSchema: 1_000 },
};

const { quick, ...options } = readBenchOptions(HELP, {
  waits: { type: 'string' },
  approvals: { type: 'string' },
});
const waits = Number(options.waits ?? (quick ? 8 : 1_000));
const approvals = Number(options.approvals ?? (quick ? 2 : 40));

/** Below the seconds of a wait, so that no request is repeated meanwhile. */
const MEASURED_MS = quick ? 1_000 : 15_000;
const SETTLE_MS = quick ? 500 : 5_000;

const service = await ServiceProcess.start({ limits: LIMITS, environment: { LOG_LEVEL: 'warn' } });
try {
  const customer = await ImportsCustomer.of(service, FIELDS);
  const latencies = await firstBatches(customer);
  const idle = await cost(SETTLE_MS);
  const callers = await startWaits(customer);
  const waiting = await cost(SETTLE_MS);
  for (const caller of callers) caller.abort();
  report({
    bench: 'delivery',
    ours: {
      'first-batch-ms': percentile(latencies, 0.5),
      'first-batch-p99-ms': percentile(latencies, 0.99),
      'waits-megabytes': waiting.megabytes - idle.megabytes,
      'waits-core-percent': waiting.corePercent - idle.corePercent,
    },
    ratios: {},
    targets: TARGETS,
  });
} finally {
  await service.dispose();
}

/** The milliseconds from each approval's answer until its batch is in the body of the loop. */
async function firstBatches(customer: ImportsCustomer<ServiceProcess>): Promise<number[]> {
  const { workspaceId, schemaId } = customer;
  const stop = new AbortController();
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const capability = await customer.newCapability();
  const batches = delivery({
    baseUrl: service.url,
    capability,
    workspaceId,
    schemaId,
    follow: true,
    signal: stop.signal,
  });
  const followed = (async () => {
    for await (const { importId } of batches) arrivals.get(importId)?.resolve(performance.now());
  })();
  const latencies: number[] = [];
  for (let approval = 0; approval < approvals; approval += 1) {
    const importId = await customer.uploaded(Buffer.from(`code\n${approval}\n`), COLUMNS);
    await customer.validated(importId);
    const arrival = Promise.withResolvers<number>();
    arrivals.set(importId, arrival);
    await customer.approve(importId);
    const answeredAt = performance.now();
    latencies.push(Math.max(0, (await arrival.promise) - answeredAt));
  }
  stop.abort();
  await followed;
  say(`${approvals} approvals, each pulled by a backend that waits`);
  return latencies;
}

/** Starts as many requests as the command line says, and resolves once the service has taken all. */
async function startWaits(customer: ImportsCustomer<ServiceProcess>): Promise<AbortController[]> {
  customer.schemaId = await customer.newSchema(FIELDS);
  const capabilities: string[] = [];
  while (capabilities.length * WAITS_OF_CAPABILITY_MAX < waits)
    capabilities.push(await customer.newCapability());
  const target = `${service.url}/v1/import/delivery/${customer.workspaceId}/${customer.schemaId}/imports?wait=25`;
  const callers = Array.from({ length: waits }, (_, at) => {
    const caller = new AbortController();
    const { signal } = caller;
    const headers = { authorization: `Bearer ${capabilities[Math.floor(at / WAITS_OF_CAPABILITY_MAX)]}` };
    void fetch(target, { headers, signal })
      .then(({ status }) => say(`a request did not wait: ${status}`))
      // Its caller has gone.
      .catch(() => {});
    return caller;
  });
  say(`${callers.length} requests wait`);
  return callers;
}

/** The memory of the service once it has settled, and its CPU time while nothing is approved. */
async function cost(settleMs: number): Promise<{ readonly megabytes: number; readonly corePercent: number }> {
  await sleep(settleMs);
  const pid = service.pid ?? 0;
  const before = cpuMicroseconds(pid);
  const startedAt = performance.now();
  await sleep(MEASURED_MS);
  const elapsedMs = performance.now() - startedAt;
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    megabytes: (Number(kibibytes) * 1_024) / 1e6,
    corePercent: (cpuMicroseconds(pid) - before) / 10 / elapsedMs,
  };
}
