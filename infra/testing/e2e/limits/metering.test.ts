import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { LimiterService, ON_CLUSTER } from './limiter-service.fixture.ts';

const INCLUDED = 3;
const TEST_PER_MONTH = 20;
const LIMIT = 1_000_000;

/** Usage is published every few seconds, and by another gateway when the one that counted is gone. */
const PUBLISHED = { timeout: 90_000, interval: 50 };

let service: LimiterService<ServiceProcess>;
beforeAll(async () => {
  const limiter = {
    liveFreePerMonth: INCLUDED,
    testPerMonth: TEST_PER_MONTH,
    testPerMinute: LIMIT,
    livePerMinute: LIMIT,
  };
  service = await LimiterService.with(ServiceProcess.start, { limits: { limiter } });
});
afterAll(() => service.dispose());

/** Returns the metered calls of a key's month, as the log and the store have them. */
async function used(keyId: string, organization = service): Promise<number> {
  return (await organization.owner('GET', `/v1/keys/${keyId}/usage`)).body.month.used;
}

async function calls(key: string, count: number): Promise<number> {
  let allowed = 0;
  for (let call = 0; call < count; call += 1) {
    const { status } = await service.check(key);
    if (status === 200) allowed += 1;
  }
  return allowed;
}

describe('the month of an organization', () => {
  it('adds up its live keys, revoked ones too, and meters what is beyond the free calls', async () => {
    const organization = await service.another();
    await organization.subscribe();
    const keys = [await organization.newKey('live'), await organization.newKey('live')];
    for (const { key } of keys) await calls(key, 4);
    const { key: testKey, keyId: testKeyId } = await organization.newKey('test');
    await calls(testKey, 5);
    await organization.owner('DELETE', `/v1/keys/${keys[0]?.keyId}`);
    const month = async () => (await organization.owner('GET', '/v1/subscription')).body.month;
    await expect.poll(month, PUBLISHED).toEqual({ used: 8, included: INCLUDED, metered: 8 - INCLUDED });
    await expect.poll(() => used(testKeyId, organization), PUBLISHED).toBe(5);
    expect(await month()).toMatchObject({ used: 8 });
  });
});

describe('a gateway that is killed in the middle', () => {
  it('has metered every call that was counted, once', async () => {
    await service.subscribe();
    const { key, keyId } = await service.newKey('live');
    const victim = ON_CLUSTER ? await service.addGateway() : service.main;
    const load = new Load(key, victim);
    load.begin();
    await expect.poll(() => load.answered, PUBLISHED).toBeGreaterThan(200);
    await victim.kill();
    await load.end();
    await victim.restart();
    // What the limiter has counted is what is missing from its window: a look counts nothing there.
    const { body } = await service.check(key, { cost: 0 });
    const counted = LIMIT - body.data.remaining;
    expect(counted).toBeGreaterThanOrEqual(load.answered);
    expect(counted).toBeLessThanOrEqual(load.sent);
    await expect.poll(() => used(keyId), PUBLISHED).toBe(counted);
  });

  it('has left its counts to the others', { skip: !ON_CLUSTER }, async () => {
    await service.subscribe();
    const { key, keyId } = await service.newKey('live');
    const victim = await service.addGateway();
    for (let call = 0; call < 7; call += 1) await service.check(key, {}, victim);
    await victim.kill();
    await expect.poll(() => used(keyId), PUBLISHED).toBe(7);
  });
});

describe("a test key's month", () => {
  it('ends at exactly its quota, and keeps its count over a crash', async () => {
    const { key, keyId } = await service.newKey('test');
    expect(await calls(key, TEST_PER_MONTH - 5)).toBe(TEST_PER_MONTH - 5);
    await service.main.kill();
    await service.main.restart();
    expect(await calls(key, 10)).toBe(5);
    const refused = await service.check(key);
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect.poll(() => used(keyId), PUBLISHED).toBe(TEST_PER_MONTH);
  });

  it('is rebuilt after the limiter has lost its memory', { skip: !ON_CLUSTER }, async () => {
    const { key, keyId } = await service.newKey('test');
    await calls(key, TEST_PER_MONTH - 5);
    await expect.poll(() => used(keyId), PUBLISHED).toBe(TEST_PER_MONTH - 5);
    await forgetEverything(service.main);
    expect(await calls(key, 10)).toBe(5);
    await expect.poll(() => used(keyId), PUBLISHED).toBe(TEST_PER_MONTH);
  });
});

/** Callers that send checks until the gateway is gone. */
class Load {
  readonly #key: string;
  readonly #gateway: ServiceProcess;
  readonly #callers: Promise<void>[] = [];
  answered = 0;
  sent = 0;

  constructor(key: string, gateway: ServiceProcess) {
    this.#key = key;
    this.#gateway = gateway;
  }

  begin(): void {
    for (let caller = 0; caller < 8; caller += 1) this.#callers.push(this.#call());
  }

  async end(): Promise<void> {
    await Promise.all(this.#callers);
  }

  async #call(): Promise<void> {
    for (;;) {
      this.sent += 1;
      try {
        const { status } = await service.check(this.#key, {}, this.#gateway);
        if (status !== 200) return;
        this.answered += 1;
      } catch {
        return;
      }
    }
  }
}

/** Removes everything that the service has in Redis, as a flush would, and nothing of anybody else. */
async function forgetEverything({ environment }: ServiceProcess): Promise<void> {
  const redis = new Redis(environment['REDIS_URL'] ?? '');
  try {
    for await (const keys of redis.scanStream({ match: `${environment['SVC_NAMESPACE']}:*`, count: 1_000 })) {
      if (keys.length > 0) await redis.unlink(keys);
    }
  } finally {
    redis.disconnect();
  }
}
