import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConditions, replicaFault } from '../../engines/redis/conditions.ts';
import { connect } from '../../engines/redis/connection.ts';
import { RedisServer } from '../../engines/redis/server.fixture.ts';
import { clusterEnvironment } from '../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../tools/service-process/cluster-removal.ts';
import { freePort, ServiceProcess } from '../../tools/service-process/service-process.ts';
import { failingStart } from '../e2e/operations/failing-start.fixture.ts';

const RECOVERY = { timeout: 90_000, interval: 100 };

let redis: RedisServer;
let replica: RedisServer;
let service: ServiceProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  redis = new RedisServer(await freePort());
  replica = new RedisServer(await freePort());
  await Promise.all([redis.start(), replica.start()]);
  environment = { ...clusterEnvironment(), REDIS_URL: `redis://127.0.0.1:${redis.port}` };
  service = await ServiceProcess.start({ environment });
});

afterAll(async () => {
  await service.dispose();
  await removeFromCluster(environment);
  await Promise.all([redis.stop(), replica.stop()]);
});

const isReady = async () => (await fetch(`${service.url}/readyz`)).status;

it('is not ready while Redis may evict keys, and refuses to start on it', async () => {
  await redis.command('CONFIG', 'SET', 'maxmemory', '100mb');
  expect(await isReady()).toBe(200);
  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  await expect.poll(isReady, RECOVERY).toBe(503);
  await expect.poll(() => service.output, RECOVERY).toContain('EngineUnfit');
  const { code, lines } = await failingStart({ ...service.environment, PORT: String(await freePort()) });
  expect(lines).toEqual([
    expect.stringMatching(/^REDIS_URL: .*allkeys-lru.*set maxmemory-policy noeviction$/),
  ]);
  expect(code).toBe(2);

  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  await expect.poll(isReady, RECOVERY).toBe(200);
});

it('finds replicas without which Redis takes writes', async () => {
  const client = await connect({ url: `redis://127.0.0.1:${redis.port}`, prefix: '' });
  const fault = async () => {
    const conditions = await readConditions(client);
    return conditions === null ? 'not allowed' : replicaFault(conditions);
  };
  expect(await fault()).toBeNull();
  await replica.command('REPLICAOF', '127.0.0.1', String(redis.port));
  await expect.poll(fault, RECOVERY).toContain('seen 1 replicas');
  await redis.command('CONFIG', 'SET', 'min-replicas-to-write', '1');
  await expect.poll(fault, RECOVERY).toBeNull();
  await redis.command('CONFIG', 'SET', 'min-replicas-to-write', '0');
  client.disconnect();
});

it('leaves unchecked what the user of Redis may not ask for', async () => {
  await redis.command('ACL', 'SETUSER', 'narrow', 'on', '>narrow', '~*', '&*', '+@all', '-info');
  const client = await connect({ url: `redis://narrow:narrow@127.0.0.1:${redis.port}`, prefix: '' });
  expect(await readConditions(client)).toBeNull();
  client.disconnect();
});
