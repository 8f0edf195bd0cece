import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND_MS } from '../../../../schemas/base/time.ts';
import type { OperationsSummary } from '../../../../schemas/operations/summary.ts';
import { hasPrometheus, Prometheus } from '../../../dashboards/prometheus.fixture.ts';
import { TcpProxy } from '../../../engines/shared/tcp-proxy.fixture.ts';
import { ENGINE_NAMES, type EngineName } from '../../../tools/cluster/addresses.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { FeedbackCustomer } from '../feedback/feedback-customer.fixture.ts';

/** An operator waits that long for numbers, whatever hangs; and what a busy machine needs beyond it. */
const ANSWER_MS_MAX = 9 * SECOND_MS;

/** A process reports every 5 s, and has to find back to its engine. */
const SOON = { timeout: 90 * SECOND_MS, interval: 250 };

/** A switch holds on every process after 5 s; a busy machine needs more. */
const SWITCHED = { timeout: 15 * SECOND_MS, interval: 100 };

const ENTRIES: Readonly<Record<EngineName, string>> = {
  kafka: 'appends-failing',
  cassandra: 'commits-failing',
  redis: 'limiter-store-unavailable',
};

let environment: Record<string, string>;
let proxies: Record<EngineName, TcpProxy>;
let customer: FeedbackCustomer<ServiceProcess>;
let other: ServiceProcess;
/** Null where it is not installed. */
let prometheus: Prometheus | null = null;

beforeAll(async () => {
  environment = clusterEnvironment();
  const { KAFKA_BROKERS = '', CASSANDRA_CONTACT_POINTS = '', REDIS_URL = '' } = environment;
  proxies = {
    kafka: await TcpProxy.openToBroker(KAFKA_BROKERS),
    cassandra: await TcpProxy.open(CASSANDRA_CONTACT_POINTS),
    redis: await TcpProxy.open(new URL(REDIS_URL).host),
  };
  const service = await ServiceProcess.start({
    environment: {
      ...environment,
      KAFKA_BROKERS: proxies.kafka.address,
      CASSANDRA_CONTACT_POINTS: proxies.cassandra.address,
      REDIS_URL: `redis://${proxies.redis.address}`,
    },
  });
  other = await ServiceProcess.start({ environment: { ...environment, SVC_ROLES: 'gateway' } });
  customer = await FeedbackCustomer.of(service);
  // While an engine hangs, a reading takes a second longer.
  if (hasPrometheus()) prometheus = await Prometheus.start([new URL(service.url).host], '3s');
});

afterAll(async () => {
  await prometheus?.dispose();
  await other?.dispose();
  await customer?.service.dispose();
  for (const proxy of Object.values(proxies)) await proxy.refuse();
  await removeFromCluster(environment);
});

const asOperator = (path: string) => customer.send('GET', path, { cookie: customer.cookie });

/** The alerts about an engine, pending or firing. Without Prometheus it is a word that no test takes for none. */
async function engineDown(engine: EngineName): Promise<readonly unknown[]> {
  return (await prometheus?.query(`ALERTS{alertname="EngineDown",engine="${engine}"}`)) ?? ['unknown'];
}

async function summary(): Promise<OperationsSummary> {
  const begun = performance.now();
  const { status, body } = await asOperator('/v1/ops/summary');
  expect([status, performance.now() - begun < ANSWER_MS_MAX]).toEqual([200, true]);
  return body;
}

it('has the processes of the service, whichever gateway is asked', async () => {
  await expect.poll(async () => (await summary()).processes.length, SOON).toBe(2);
  await expect.poll(async () => (await summary()).requests.others.answers, SOON).toBeGreaterThan(0);
  const { topics, findings } = await summary();
  expect(topics.length).toBeGreaterThan(10);
  expect(findings).toEqual([]);
});

it('a switch that one gateway sets holds on the others within five seconds', async () => {
  const set = (creation: boolean) =>
    customer.send('PUT', '/v1/ops/switches', {
      cookie: customer.cookie,
      json: { creation, feedback: true, runs: true },
    });
  const create = async () => {
    const body = JSON.stringify({ name: 'Two', cohort: 'dogfood' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${other.url}/v1/agent/workspaces`, { method: 'POST', headers, body })).status;
  };
  expect((await set(false)).status).toBe(200);
  await expect.poll(create, SWITCHED).toBe(503);
  expect((await set(true)).status).toBe(200);
  await expect.poll(create, SWITCHED).toBe(201);
});

describe.each(ENGINE_NAMES)('while %s hangs', (engine) => {
  it('operators see that, who is affected, and since when, on a page that they open then', async () => {
    expect((await asOperator('/v1/console/session')).status).toBe(200);
    proxies[engine].condition = 'black hole';
    const stateOf = async () => (await summary()).engines.find(({ name }) => name === engine)?.state;
    await expect.poll(stateOf, SOON).not.toBe('up');
    const { findings } = await summary();
    expect(findings.find(({ name }) => name === ENTRIES[engine])).toMatchObject({
      affected: expect.stringMatching(/\w/),
      since: expect.stringMatching(/Z$/),
    });
    for (const path of ['/v1/console/session', '/v1/ops/topics', '/v1/ops/history', '/v1/ops/activity'])
      expect([path, (await asOperator(path)).status]).toEqual([path, 200]);
    if (engine === 'redis') expect((await summary()).isCurrent).toBe(false);
    await expect.poll(() => engineDown(engine), SOON).not.toEqual([]);

    proxies[engine].condition = 'sound';
    await proxies[engine].refuse();
    await proxies[engine].accept();
    await expect.poll(async () => (await summary()).findings.map(({ name }) => name), SOON).toEqual([]);
    if (prometheus !== null) await expect.poll(() => engineDown(engine), SOON).toEqual([]);
  });
});
