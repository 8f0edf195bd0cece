import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SECOND_MS } from '../../../../schemas/base/time.ts';
import { TcpProxy } from '../../../engines/shared/tcp-proxy.fixture.ts';
import { ENGINE_NAMES, type EngineName } from '../../../tools/cluster/addresses.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import type { Received } from '../customer.fixture.ts';
import { ImportsCustomer, SOON } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];

/** The gateway's deadline of ten seconds, and what a busy machine needs beyond it. */
const ANSWER_MS_MAX = 13 * SECOND_MS;

/** Until everything of a process has found back to an engine: a group notices within its session that a member is silent. */
const RECOVERY = { timeout: 90 * SECOND_MS, interval: 100 };

const SLOW_MS = 400;

/** The faults of the connection to an engine. */
const FAULTS: Readonly<Record<string, (proxy: TcpProxy) => Promise<void>>> = {
  'swallows everything': async (proxy) => {
    proxy.condition = 'black hole';
  },
  'refuses connections': (proxy) => proxy.refuse(),
};

let environment: Record<string, string>;
let proxies: Record<EngineName, TcpProxy>;
let customer: ImportsCustomer<ServiceProcess>;

beforeAll(async () => {
  environment = clusterEnvironment();
  const { KAFKA_BROKERS = '', CASSANDRA_CONTACT_POINTS = '', REDIS_URL = '' } = environment;
  proxies = {
    kafka: await TcpProxy.openToBroker(KAFKA_BROKERS),
    cassandra: await TcpProxy.open(CASSANDRA_CONTACT_POINTS),
    redis: await TcpProxy.open(new URL(REDIS_URL).host),
  };
  const service = await ServiceProcess.start({
    limits: ROOMY_LIMITS,
    environment: {
      ...environment,
      KAFKA_BROKERS: proxies.kafka.address,
      CASSANDRA_CONTACT_POINTS: proxies.cassandra.address,
      REDIS_URL: `redis://${proxies.redis.address}`,
    },
  });
  customer = await ImportsCustomer.of(service, FIELDS);
});

afterAll(async () => {
  await customer.service.dispose();
  for (const proxy of Object.values(proxies)) await proxy.refuse();
  await removeFromCluster(environment);
});

/** A change that is the same change whenever it is sent again. */
function newChange(): () => Promise<Received> {
  const configuration = customer.configuration(1, FIELDS);
  return () => customer.agent('POST', '/schemas', configuration);
}

const look = () => customer.agent('GET', '/schemas');
const probe = () => customer.send('GET', '/readyz', {});

/** Answers of the service to what is sent at the same time, all of them within the deadline. */
async function answersTo(...requests: (() => Promise<Received>)[]): Promise<Received[]> {
  const begun = performance.now();
  const answers = await Promise.all(requests.map((request) => request()));
  expect(performance.now() - begun).toBeLessThan(ANSWER_MS_MAX);
  return answers;
}

function expectUnavailable({ status, headers, body }: Received): void {
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

async function mend(proxy: TcpProxy): Promise<void> {
  proxy.condition = 'sound';
  proxy.answerDelayMs = 0;
  // A proxy that still takes connections has nothing to be mended.
  await proxy.refuse();
  await proxy.accept();
}

describe.each(ENGINE_NAMES)('while the way to %s', (engine) => {
  it.each(Object.keys(FAULTS))(
    '%s, clients are told to come again, and the same request finds its outcome afterwards',
    async (fault) => {
      const earlier = newChange();
      const first = await earlier();
      expect(first.status).toBe(201);
      await FAULTS[fault]?.(proxies[engine]);

      const change = newChange();
      // What the answer needs of each engine: a change all three, a look the state and the counters.
      const [changed, looked, probed] = await answersTo(change, look, probe);
      expectUnavailable(changed as Received);
      if (engine === 'kafka') expect(looked?.status).toBe(200);
      else expectUnavailable(looked as Received);
      expectUnavailable(probed as Received);
      expect(probed?.body.error.message.toLowerCase()).toContain(`does not answer: ${engine}.`);

      await mend(proxies[engine]);
      await vi.waitFor(async () => expect((await change()).status).toBe(201), RECOVERY);
      expect((await change()).body).toEqual((await change()).body);
      expect((await earlier()).body).toEqual(first.body);
      expect((await look()).status).toBe(200);
      await expect.poll(async () => (await probe()).status, RECOVERY).toBe(200);
    },
  );

  it('is cut again and again, every change is made once', async () => {
    const changes = Array.from({ length: 6 }, newChange);
    const sent = changes.map(async (change) => {
      const answer = await change();
      expect([201, 503]).toContain(answer.status);
      // The answer that arrives has the name: the way can be cut again before another one.
      return vi.waitFor(async () => {
        const { status, body } = await change();
        expect(status).toBe(201);
        return body.schemaId;
      }, RECOVERY);
    });
    for (let cut = 0; cut < 5; cut += 1) {
      proxies[engine].cut();
      await probe();
    }
    const made = await Promise.all(sent);
    expect(new Set(made).size).toBe(changes.length);
    const listed = (await look()).body.schemas.map((schema: { schemaId: string }) => schema.schemaId);
    expect(listed).toEqual(expect.arrayContaining(made));
    expect(new Set(listed).size).toBe(listed.length);
  });
});

it('is patient with engines that are slow', async () => {
  for (const engine of ['kafka', 'cassandra'] as const) {
    proxies[engine].answerDelayMs = SLOW_MS;
    const [changed, looked] = await answersTo(newChange(), look);
    expect([changed?.status, looked?.status]).toEqual([201, 200]);
    proxies[engine].answerDelayMs = 0;
  }
});

it('never counts beyond its patience', async () => {
  proxies.redis.answerDelayMs = SLOW_MS;
  for (const answer of await answersTo(newChange(), look)) expectUnavailable(answer);
  proxies.redis.answerDelayMs = 0;
  await expect.poll(async () => (await look()).status, SOON).toBe(200);
});

it('starts before its engines, and is ready when the last one is there', async () => {
  await customer.service.stop();
  for (const proxy of Object.values(proxies)) await proxy.refuse();
  const child = customer.service.launch();
  for (const engine of ENGINE_NAMES.toReversed()) {
    await expect.poll(() => customer.service.output, RECOVERY).toContain('EngineAwaited');
    expect(child.exitCode).toBeNull();
    await proxies[engine].accept();
  }
  await expect.poll(isReady, RECOVERY).toBe(true);
  expect((await look()).status).toBe(200);
});

it('logs no unexpected error and no halted partition', () => {
  expect(customer.service.output).not.toContain('UnexpectedError');
  expect(customer.service.output).not.toContain('PartitionHalted');
});

async function isReady(): Promise<boolean> {
  try {
    return (await probe()).status === 200;
  } catch {
    return false;
  }
}
