import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idFrom } from '../../../../schemas/base/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../schemas/base/time.ts';
import {
  createdKeySchema,
  deniedWindowsSchema,
  keyListSchema,
  keySchema,
  keyUsageSchema,
  keyWindowSchema,
} from '../../../../schemas/keys/http.ts';
import { keyOverviewListSchema, OVERVIEW_HOURS } from '../../../../schemas/keys/overview.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { addCalls } from '../../../../schemas/usage/counts.ts';
import { type Received, refusal } from '../customer.fixture.ts';
import { LimiterService } from './limiter-service.fixture.ts';

const KEYS_MAX = 3;
const REQUESTS_MAX = 300;
/** Usage is published every few seconds. */
const PUBLISHED = { timeout: 45_000, interval: 50 };
const WAIT = { timeout: 45_000, interval: 20 };
const NOBODYS = idFrom('key', new Uint8Array(15));

let service: LimiterService;
beforeAll(async () => {
  service = await LimiterService.start({
    limits: { limiter: { keysPerMode: KEYS_MAX }, http: { managementPerMinute: REQUESTS_MAX } },
  });
});
afterAll(() => service.dispose());

async function revokeAll(): Promise<void> {
  const { body } = await service.owner('GET', '/v1/keys');
  for (const { keyId, revokedAt } of body.keys)
    if (revokedAt === null) await service.owner('DELETE', `/v1/keys/${keyId}`);
}

describe('creating an API key', () => {
  it.each(['test', 'live'] as const)('shows a %s key once', async (mode) => {
    const json = { idempotencyKey: randomUUID(), product: 'limiter', mode, name: 'Näme' };
    const first = await service.owner('POST', '/v1/keys', json);
    const { key, ...made } = createdKeySchema.parse(first.body);
    expect(first.status).toBe(201);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(key).toMatch(new RegExp(`^svc_limiter_${mode}_[0-9A-Za-z]{32}$`));
    expect(made).toMatchObject({ mode, name: 'Näme', prefix: `svc_limiter_${mode}_`, last4: key?.slice(-4) });
    const again = await service.owner('POST', '/v1/keys', json);
    expect([again.status, again.body]).toEqual([201, { ...made, key: null }]);
    const other = await service.owner('POST', '/v1/keys', { ...json, name: 'Other' });
    expect(refusal(other)).toEqual([409, 'idempotency_conflict']);
    expect(service.main.output).not.toContain(key);
    const { body } = await service.owner('GET', '/v1/keys');
    expect(JSON.stringify(body)).not.toContain(key);
  });

  it.each([
    ['another product', { product: 'svcimport' }],
    ['another mode', { mode: 'production' }],
    ['no name', { name: '' }],
    ['no idempotency key', { idempotencyKey: undefined }],
    ['something more', { plan: 'free' }],
  ])('refuses %s', async (_what, changes) => {
    expect(refusal(await service.createKey('test', changes))).toEqual([400, 'bad_request']);
  });

  it('is limited by mode, also for many at once, and revoking frees a place', async () => {
    await revokeAll();
    const answers = await Promise.all(Array.from({ length: KEYS_MAX + 3 }, () => service.createKey('live')));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(KEYS_MAX);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expect(refusal(answer)).toEqual([429, 'limit_reached']);
    expect((await service.createKey('test')).status).toBe(201);
    await service.owner('DELETE', `/v1/keys/${made[0]?.body.keyId}`);
    expect((await service.createKey('live')).status).toBe(201);
  });
});

describe('listing API keys', () => {
  it('shows the newest first, page by page, revoked ones included', async () => {
    await revokeAll();
    const names = ['one', 'two', 'three'];
    for (const name of names) await service.createKey('test', { name });
    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await service.owner('GET', `/v1/keys?limit=2${query}`);
      const page = keyListSchema.parse(body);
      expect(page.keys.length).toBeLessThanOrEqual(2);
      pages.push(...page.keys.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages.slice(0, names.length)).toEqual(names.toReversed());
    expect(new Set(pages).size).toBeGreaterThan(1);
    const { body } = await service.owner('GET', '/v1/keys?limit=100');
    expect(body.keys).toHaveLength(pages.length);
    expect(body.keys.filter((key: { revokedAt: string | null }) => key.revokedAt === null)).toHaveLength(3);
  });

  it('shows nothing of another organization', async () => {
    const { keyId } = await aNewKey();
    const { cookie } = await service.another();
    const { body } = await service.send('GET', '/v1/keys', { cookie });
    expect(body.keys).toEqual([]);
    const paths = [
      ['DELETE', `/v1/keys/${keyId}`],
      ['GET', `/v1/keys/${keyId}/usage`],
    ] as const;
    for (const [method, path] of paths) {
      expect(refusal(await service.send(method, path, { cookie }))).toEqual([404, 'not_found']);
    }
  });
});

async function aNewKey() {
  await revokeAll();
  return await service.newKey('test');
}

describe('revoking an API key', () => {
  it('answers the same again', async () => {
    const { keyId } = await aNewKey();
    const first = await service.owner('DELETE', `/v1/keys/${keyId}`);
    const revoked = keySchema.parse(first.body);
    expect(first.status).toBe(200);
    expect(revoked.revokedAt).not.toBe(null);
    const again = await service.owner('DELETE', `/v1/keys/${keyId}`);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(refusal(await service.owner('DELETE', `/v1/keys/${NOBODYS}`))).toEqual([404, 'not_found']);
  });

  it('is in the audit log, once, like the creation', async () => {
    const { keyId } = await aNewKey();
    for (let times = 0; times < 2; times += 1) await service.owner('DELETE', `/v1/keys/${keyId}`);
    const about = async () => {
      const { body } = await service.owner('GET', '/v1/console/audit?limit=100');
      return body.entries
        .filter(({ detail }: { detail: { keyId?: string } }) => detail.keyId === keyId)
        .map(({ action, detail }: { action: string; detail: object }) => [action, detail]);
    };
    await expect.poll(about, WAIT).toEqual([
      ['organizations.revoke-key', { keyId, mode: 'test' }],
      ['organizations.create-key', { keyId, mode: 'test' }],
    ]);
  });
});

describe('looking at a window and ending it', () => {
  const WINDOW = { namespace: 'sign-in', identifier: 'private-42', window: HOUR_MS };
  const lockOut = async () => {
    const made = await aNewKey();
    for (let call = 0; call < 3; call += 1) await service.check(made.key, { ...WINDOW, limit: 1 });
    return made;
  };
  const isAllowed = async (key: string) =>
    (await service.check(key, { ...WINDOW, limit: 1, cost: 0 })).body.data.allowed;

  it('tells a person what stands, and lets the identifier in at once', async () => {
    const { keyId, key } = await lockOut();
    const look = async () =>
      keyWindowSchema.parse((await service.owner('POST', `/v1/keys/${keyId}/window`, WINDOW)).body);
    const { used, startedAt, endsAt, denied } = await look();
    expect([used, denied]).toEqual([1, 2]);
    expect(Date.parse(endsAt ?? '') - Date.parse(startedAt ?? '')).toBe(HOUR_MS);
    const reset = () => service.owner('POST', `/v1/keys/${keyId}/window/reset`, WINDOW);
    expect((await reset()).body).toEqual({ ended: true });
    expect((await reset()).body).toEqual({ ended: false });
    expect(await isAllowed(key)).toBe(true);
    expect(await look()).toMatchObject({ used: 0, startedAt: null, endsAt: null, windowsEnded: 1 });
    const ended = async () => {
      const { body } = await service.owner('GET', '/v1/console/audit?action=organizations.end-window');
      return body.entries.filter(({ detail }: { detail: { keyId: string } }) => detail.keyId === keyId);
    };
    await expect.poll(ended, WAIT).toMatchObject([{ detail: { keyId, mode: 'test' } }]);
    expect(JSON.stringify(await ended())).not.toContain('private-42');
  });

  it('lets a backend end it with the key, and counts it by key alone', async () => {
    const { keyId, key } = await lockOut();
    const reset = (changes: object = {}, bearer = key) =>
      service.send('POST', '/v1/checks/reset', {
        json: { ...WINDOW, ...changes },
        headers: { Authorization: `Bearer ${bearer}` },
      });
    expect((await reset({ identifier: 'another' })).body).toEqual({ data: { ended: false } });
    expect(await isAllowed(key)).toBe(false);
    const answer = await reset();
    expect([answer.status, answer.body]).toEqual([200, { data: { ended: true } }]);
    expect(await isAllowed(key)).toBe(true);
    const { body } = await service.owner('POST', `/v1/keys/${keyId}/window`, WINDOW);
    expect(body.windowsEnded).toBe(1);
    expect(refusal(await reset({ limit: 1 }))).toEqual([400, 'bad_request']);
    expect(refusal(await reset({}, `${key.slice(0, -1)}!`))).toEqual([401, 'unauthorized']);
    await service.owner('DELETE', `/v1/keys/${keyId}`);
    expect(refusal(await reset())).toEqual([401, 'unauthorized']);
    expect(service.main.output).not.toContain('private-42');
  });

  it('is about keys of the own organization alone', async () => {
    const { keyId } = await lockOut();
    const other = await service.another();
    for (const path of ['window', 'window/reset']) {
      const refused = await other.owner('POST', `/v1/keys/${keyId}/${path}`, WINDOW);
      expect(refusal(refused)).toEqual([404, 'not_found']);
    }
    await service.owner('DELETE', `/v1/keys/${keyId}`);
  });
});

describe('rotating an API key', () => {
  it('shows the new key once, and both work until the replaced one is revoked', async () => {
    const { keyId, key } = await aNewKey();
    await service.owner('PATCH', `/v1/keys/${keyId}`, { name: 'renamed' });
    const json = { idempotencyKey: randomUUID(), overlapMs: HOUR_MS };
    const first = await service.owner('POST', `/v1/keys/${keyId}/rotate`, json);
    const { key: next, ...made } = createdKeySchema.parse(first.body);
    expect([first.status, made.name]).toEqual([201, 'renamed']);
    const again = await service.owner('POST', `/v1/keys/${keyId}/rotate`, json);
    expect([again.status, again.body]).toEqual([201, { ...made, key: null }]);
    const { body } = await service.owner('GET', '/v1/keys?limit=2');
    expect(body.keys[1]).toMatchObject({ keyId, replacedBy: made.keyId, expiresAt: expect.any(String) });
    const statuses = () =>
      Promise.all([key, next].map(async (each) => (await service.check(String(each))).status));
    expect(await statuses()).toEqual([200, 200]);
    await service.owner('DELETE', `/v1/keys/${keyId}`);
    expect(await statuses()).toEqual([401, 200]);
  });

  it('is refused with an end that is not two minutes ahead', async () => {
    const { keyId } = await aNewKey();
    const soon = new Date(Date.now() + 60_000).toISOString();
    const refused = [
      await service.owner('PATCH', `/v1/keys/${keyId}`, { expiresAt: soon }),
      await service.owner('POST', `/v1/keys/${keyId}/rotate`, { idempotencyKey: randomUUID(), overlapMs: 1 }),
    ];
    for (const answer of refused) expect(refusal(answer)).toEqual([400, 'bad_request']);
  });
});

describe('the denied identifiers of an API key', () => {
  it('are named with their windows', async () => {
    const { keyId, key } = await aNewKey();
    const check = { identifier: 'user-17', limit: 1, window: HOUR_MS };
    for (let calls = 0; calls < 3; calls += 1) await service.check(key, check);
    const { status, body } = await service.owner('GET', `/v1/keys/${keyId}/denied`);
    expect([status, deniedWindowsSchema.parse(body).windows]).toEqual([
      200,
      [{ namespace: 'test', identifier: 'user-17', window: HOUR_MS, denied: 2 }],
    ]);
    const { cookie } = await service.another();
    const path = `/v1/keys/${keyId}/denied`;
    expect(refusal(await service.send('GET', path, { cookie }))).toEqual([404, 'not_found']);
  });
});

describe('the usage of an API key', () => {
  it('has a point for every hour or day, also before the first call', async () => {
    const { keyId } = await aNewKey();
    const start = (Math.floor(Date.now() / DAY_MS) - 10) * DAY_MS;
    const textOf = (ms: number) => new Date(start + ms).toISOString();
    const span = `from=${textOf(30 * MINUTE_MS)}&to=${textOf(3 * DAY_MS - SECOND_MS)}`;
    for (const [unit, count] of [
      ['hour', 72],
      ['day', 3],
    ] as const) {
      const { status, body } = await service.owner('GET', `/v1/keys/${keyId}/usage?unit=${unit}&${span}`);
      expect(status).toBe(200);
      const { points, month } = keyUsageSchema.parse(body);
      expect(points).toHaveLength(count);
      expect(points[0]).toEqual({ at: textOf(0), allowed: 0, denied: 0, refused: 0 });
      expect(month).toEqual({ used: 0 });
    }
    const { body } = await service.owner('GET', `/v1/keys/${keyId}/usage`);
    expect(body.points).toHaveLength(25);
  });

  it.each([
    'unit=minute',
    'from=yesterday',
    'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
    'unit=hour&from=2026-09-01T00:00:00Z&to=2026-11-01T00:00:00Z',
    'unit=day&from=2024-09-01T00:00:00Z&to=2026-11-01T00:00:00Z',
    'unit=hour&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z',
  ])('is not told for %s', async (query) => {
    const { keyId } = await aNewKey();
    const answer = await service.owner('GET', `/v1/keys/${keyId}/usage?${query}`);
    expect(refusal(answer)).toEqual([400, 'bad_request']);
  });
});

describe('the overview of all API keys', () => {
  const overviews = async (organization: LimiterService) =>
    keyOverviewListSchema.parse((await organization.owner('GET', '/v1/key-overviews')).body);

  it('has the calls of each hour and the days of the live keys, of revoked ones too', async () => {
    const organization = await service.another();
    await organization.subscribe();
    const [kept, revoked, test] = [
      await organization.newKey('live'),
      await organization.newKey('live'),
      await organization.newKey('test'),
    ];
    const exhausted = { identifier: 'one', limit: 1 };
    for (const { key } of [kept, revoked, test]) await organization.check(key);
    for (let call = 0; call < 3; call += 1) await organization.check(kept.key, exhausted);
    await organization.owner('DELETE', `/v1/keys/${revoked.keyId}`);
    const sums = async () => {
      const { keys, days } = await overviews(organization);
      return {
        keys: keys.map(({ keyId, hours, month }) => [keyId, hours.reduce(addCalls), month.used]),
        days: days.map(({ at: _, ...calls }) => calls).reduce(addCalls),
      };
    };
    await expect.poll(sums, PUBLISHED).toEqual({
      keys: [
        [test.keyId, { allowed: 1, denied: 0, refused: 0 }, 1],
        [kept.keyId, { allowed: 2, denied: 2, refused: 0 }, 4],
      ],
      days: { allowed: 3, denied: 2, refused: 0 },
    });
    const { from, keys, days, limits } = await overviews(organization);
    const sinceFrom = Date.now() - Date.parse(from);
    expect(Math.floor(sinceFrom / HOUR_MS)).toBe(OVERVIEW_HOURS - 1);
    expect(keys[0]?.lastUsedAt).not.toBe(null);
    expect(days).toHaveLength(new Date().getUTCDate());
    const { testPerMonth, testPerMinute, livePerMinute } = DEFAULT_LIMITS.limiter;
    expect(limits).toEqual({ keysPerMode: KEYS_MAX, testPerMonth, testPerMinute, livePerMinute });
  });

  it('is empty without keys', async () => {
    const { keys, days, daysComplete } = await overviews(await service.another());
    expect(keys).toEqual([]);
    expect(daysComplete).toBe(true);
    expect(days.every(({ allowed, denied, refused }) => allowed + denied + refused === 0)).toBe(true);
  });
});

describe('the limits in force', () => {
  it('are in the capabilities', async () => {
    const { body } = await service.send('GET', '/v1/agent/capabilities', {});
    const limiter = body.products.find(({ name }: { name: string }) => name === 'limiter');
    expect(limiter.limits.free).toEqual({ ...DEFAULT_LIMITS.limiter, keysPerMode: KEYS_MAX });
    expect(limiter.endpoints).toEqual([
      { method: 'POST', path: '/v1/check', host: 'limiter', auth: 'limiter API key' },
      { method: 'POST', path: '/v1/checks', host: 'limiter', auth: 'limiter API key' },
      { method: 'POST', path: '/v1/checks/each', host: 'limiter', auth: 'limiter API key' },
      { method: 'POST', path: '/v1/checks/reset', host: 'limiter', auth: 'limiter API key' },
      { method: 'GET', path: '/v1/health', host: 'limiter', auth: 'none' },
    ]);
  });
});

describe('the management of keys', () => {
  it('is limited by the minute and person', async () => {
    const refused = await firstRefusal();
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { cookie } = await service.another();
    expect((await service.send('GET', '/v1/subscription', { cookie })).status).toBe(200);
  });
});

/** The first request that is refused, of more than two windows admit, should one end in the middle. */
async function firstRefusal(): Promise<Received | null> {
  for (let sent = 0; sent <= 2 * REQUESTS_MAX; sent += 1) {
    const answer = await service.owner('GET', '/v1/subscription');
    if (answer.status !== 200) return answer;
  }
  return null;
}
