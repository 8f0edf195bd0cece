import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { LimiterService, ON_CLUSTER } from './limiter-service.fixture.ts';

/** Usage is published every few seconds. */
const PUBLISHED = { timeout: 45_000, interval: 50 };

let service: LimiterService<ServiceProcess>;
beforeAll(async () => {
  service = await LimiterService.with(ServiceProcess.start, {
    limits: { limiter: { livePerMinute: 100_000 } },
  });
});
afterAll(() => service.dispose());

const statusOf = async (key: string, gateway?: ServiceProcess) =>
  (await service.check(key, {}, gateway)).status;

describe('a new key', () => {
  it('works at once, and shows its calls, its last use and its month', async () => {
    const { keyId, key } = await service.newKey('test');
    const limit = 2;
    const answers = [];
    for (let call = 0; call < 5; call += 1) answers.push(await service.check(key, { limit, window: 60_000 }));
    expect(answers.map(({ body }) => body.data.allowed)).toEqual([true, true, false, false, false]);
    const usage = async () => {
      const { body } = await service.owner('GET', `/v1/keys/${keyId}/usage`);
      // Of all points: the hour may end between a call and the look at it.
      const sum = (of: 'allowed' | 'denied' | 'refused') =>
        body.points.reduce((total: number, point: Record<typeof of, number>) => total + point[of], 0);
      return {
        allowed: sum('allowed'),
        denied: sum('denied'),
        refused: sum('refused'),
        month: body.month.used,
      };
    };
    await expect.poll(usage, PUBLISHED).toEqual({ allowed: 2, denied: 3, refused: 0, month: 5 });
    const { body } = await service.owner('GET', '/v1/keys');
    const shown = body.keys.find((one: { keyId: string }) => one.keyId === keyId);
    expect(Date.parse(shown.lastUsedAt)).toBeGreaterThan(Date.now() - 120_000);
  });
});

describe('a revoked key', () => {
  it('is refused from the answer to its revocation on', async () => {
    const { keyId, key } = await service.newKey('test');
    expect(await statusOf(key)).toBe(200);
    await service.owner('DELETE', `/v1/keys/${keyId}`);
    expect(refusal(await service.check(key))).toEqual([401, 'unauthorized']);
  });

  it('is refused although it was never used', async () => {
    const { keyId, key } = await service.newKey('test');
    await service.owner('DELETE', `/v1/keys/${keyId}`);
    expect(refusal(await service.check(key))).toEqual([401, 'unauthorized']);
  });

  it.runIf(ON_CLUSTER)('is refused by every gateway, however busy it is', async () => {
    const other = await service.addGateway();
    await service.subscribe();
    const { keyId, key } = await service.newKey('live');
    const calls: { readonly begunAt: number; readonly status: number }[] = [];
    let isRevokedAt = Number.POSITIVE_INFINITY;
    const busy = Array.from({ length: 8 }, async () => {
      while (performance.now() < isRevokedAt + 500) {
        const begunAt = performance.now();
        calls.push({ begunAt, status: await statusOf(key, other) });
      }
    });
    await expect
      .poll(() => calls.filter(({ status }) => status === 200).length, PUBLISHED)
      .toBeGreaterThan(50);
    await service.owner('DELETE', `/v1/keys/${keyId}`);
    isRevokedAt = performance.now();
    await Promise.all(busy);
    const later = calls.filter(({ begunAt }) => begunAt >= isRevokedAt);
    expect(later.length).toBeGreaterThan(10);
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

describe('a live key', () => {
  it('needs a subscription, which stops and starts it at once; test keys work always', async () => {
    const { key } = await service.newKey('live');
    const { key: testKey } = await service.newKey('test');
    const both = async () => [await statusOf(key), await statusOf(testKey)];
    await service.subscribe();
    expect(await both()).toEqual([200, 200]);
    await service.owner('DELETE', '/v1/subscription');
    expect(await both()).toEqual([402, 200]);
    expect(refusal(await service.check(key))).toEqual([402, 'payment_required']);
    await service.subscribe();
    expect(await both()).toEqual([200, 200]);
    for (const status of ['declined', 'expired', 'canceled']) {
      await event(status);
      expect(await both()).toEqual([402, 200]);
      await event('active');
      expect(await both()).toEqual([200, 200]);
    }
  });

  it('made while there is no subscription is held up until there is one', async () => {
    await service.owner('DELETE', '/v1/subscription');
    const { key } = await service.newKey('live');
    expect(await statusOf(key)).toBe(402);
    await service.subscribe();
    expect(await statusOf(key)).toBe(200);
  });
});

let events = 0;

async function event(status: string): Promise<void> {
  events += 1;
  const { organizationId } = service;
  const at = new Date().toISOString();
  const answer = await service.billingEvent({ eventId: `event ${events}`, organizationId, status, at });
  expect(answer.status).toBe(204);
}
