import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisServer } from '../../../engines/redis/server.fixture.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { LimiterService, ON_CLUSTER } from './limiter-service.fixture.ts';

const TEST_PER_MONTH = 20;
const PAUSE_MS = 2_000;
const PUBLISHED = { timeout: 90_000, interval: 50 };

describe.runIf(ON_CLUSTER)('a limiter on a dedicated Redis', () => {
  let folder: string;
  let redis: RedisServer;
  let service: LimiterService;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limiter-memory-'));
    redis = new RedisServer(await freePort(), ['--dir', folder]);
    await redis.start();
    const limiter = { testPerMonth: TEST_PER_MONTH, testPerMinute: 100_000, livePerMinute: 100_000 };
    const environment = { REDIS_URL: `redis://127.0.0.1:${redis.port}` };
    service = await LimiterService.start({ limits: { limiter }, environment });
  });
  afterAll(async () => {
    await service.dispose();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  const statusOf = async (key: string) => (await service.check(key)).status;

  const used = async (keyId: string) =>
    (await service.owner('GET', `/v1/keys/${keyId}/usage`)).body.month.used;

  /** Calls until one is refused; how many were not. */
  async function callsLeft(key: string): Promise<number> {
    for (let calls = 0; ; calls += 1) if ((await statusOf(key)) !== 200) return calls;
  }

  it.each(['paused', 'killed'])(
    'says that it does not know while Redis is %s, and is right afterwards',
    async (how) => {
      const { keyId, key } = await service.newKey('test');
      expect(await statusOf(key)).toBe(200);
      await (how === 'paused' ? redis.command('CLIENT', 'PAUSE', String(PAUSE_MS)) : redis.stop());
      expect(refusal(await service.check(key))).toEqual([500, 'internal_error']);
      const revoke = async () => (await service.owner('DELETE', `/v1/keys/${keyId}`)).status;
      if (how === 'killed') {
        expect(await revoke()).toBe(503);
        await redis.start();
      }
      // After a pause, the first answer may be late: it waits for Redis, as long as a request may take.
      await expect.poll(revoke, PUBLISHED).toBe(200);
      expect(await statusOf(key)).toBe(401);
    },
  );

  it.each(['flushed', 'killed'])('rebuilds the month of a test key after Redis was %s', async (how) => {
    const { keyId, key } = await service.newKey('test');
    for (let call = 0; call < TEST_PER_MONTH - 5; call += 1) await service.check(key);
    await expect.poll(() => used(keyId), PUBLISHED).toBe(TEST_PER_MONTH - 5);
    await loseMemory(how);
    expect(await callsLeft(key)).toBe(5);
    expect(refusal(await service.check(key))).toEqual([429, 'rate_limited']);
    await expect.poll(() => used(keyId), PUBLISHED).toBe(TEST_PER_MONTH);
  });

  it.each(['flushed', 'killed'])(
    'knows what is revoked and what is not paid for after it was %s',
    async (how) => {
      await service.subscribe();
      const revoked = await service.newKey('test');
      const unpaid = await service.newKey('live');
      expect([await statusOf(revoked.key), await statusOf(unpaid.key)]).toEqual([200, 200]);
      await service.owner('DELETE', `/v1/keys/${revoked.keyId}`);
      await service.owner('DELETE', '/v1/subscription');
      await loseMemory(how);
      expect([await statusOf(revoked.key), await statusOf(unpaid.key)]).toEqual([401, 402]);
    },
  );

  it('knows what is revoked and what is not paid for after Redis went back to an older memory', async () => {
    await service.subscribe();
    const revoked = await service.newKey('test');
    const unpaid = await service.newKey('live');
    expect([await statusOf(revoked.key), await statusOf(unpaid.key)]).toEqual([200, 200]);
    await redis.command('SAVE');
    await service.owner('DELETE', `/v1/keys/${revoked.keyId}`);
    await service.owner('DELETE', '/v1/subscription');
    expect([await statusOf(revoked.key), await statusOf(unpaid.key)]).toEqual([401, 402]);
    await restart();
    expect([await statusOf(revoked.key), await statusOf(unpaid.key)]).toEqual([401, 402]);
    await rm(join(folder, 'dump.rdb'));
  });

  async function loseMemory(how: string): Promise<void> {
    if (how === 'flushed') await redis.command('FLUSHALL');
    else await restart();
  }

  /** The server has what it saved last, or nothing. */
  async function restart(): Promise<void> {
    await redis.stop();
    await redis.start();
    // Both the console and the limiter have noticed.
    await expect.poll(async () => (await service.owner('GET', '/v1/keys')).status, PUBLISHED).toBe(200);
    const { key } = await service.newKey('test');
    await expect.poll(() => statusOf(key), PUBLISHED).toBe(200);
  }
});
