import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READ_WAIT_MS } from '../../../../gateway/limiter/bounded-reads.ts';
import { TcpProxy } from '../../../engines/shared/tcp-proxy.fixture.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { refusal } from '../customer.fixture.ts';
import { LimiterService, ON_CLUSTER } from './limiter-service.fixture.ts';

/** Below what a read of Cassandra may take, with room for a busy machine. */
const ANSWERED_WITHIN_MS = READ_WAIT_MS + 1_000;
const RECOVERY = { timeout: 45_000, interval: 50 };

describe.runIf(ON_CLUSTER)('a limiter whose way to Cassandra can be silent', () => {
  let environment: Record<string, string>;
  let proxy: TcpProxy;
  let service: LimiterService;
  beforeAll(async () => {
    environment = clusterEnvironment();
    proxy = await TcpProxy.open(environment['CASSANDRA_CONTACT_POINTS'] ?? '');
    service = await LimiterService.start({
      environment: { ...environment, CASSANDRA_CONTACT_POINTS: proxy.address },
    });
  });
  afterAll(async () => {
    await service.dispose();
    await proxy.refuse();
    await removeFromCluster(environment);
  });

  it('answers keys in use, and idle ones with 500 within its limit, then at once', async () => {
    const used = await service.newKey('test');
    const idle = await service.newKey('test');
    expect((await service.check(used.key)).status).toBe(200);
    proxy.condition = 'black hole';
    const begun = performance.now();
    expect(refusal(await service.check(idle.key))).toEqual([500, 'internal_error']);
    expect(performance.now() - begun).toBeLessThan(ANSWERED_WITHIN_MS);
    const next = performance.now();
    expect(refusal(await service.check(idle.key))).toEqual([500, 'internal_error']);
    expect(performance.now() - next).toBeLessThan(READ_WAIT_MS);
    expect((await service.check(used.key)).status).toBe(200);
    proxy.condition = 'sound';
    await expect.poll(async () => (await service.check(idle.key)).status, RECOVERY).toBe(200);
  });
});
