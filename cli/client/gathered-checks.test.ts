import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LimiterService } from '../../infra/testing/e2e/limits/limiter-service.fixture.ts';
import type { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { DisturbingProxy } from '../testing/proxy.fixture.ts';
import type { Check, LimiterOptions } from './check.ts';
import { HELD_MS } from './gather.ts';
import { limiter } from './limiter.ts';

const MANY = '/v1/checks/each';
const CHECK = { namespace: 'gathered', limit: 1_000, window: 3_600_000 };

let service: LimiterService<ServiceInProcess>;
let proxy: DisturbingProxy;
let key: string;
let users = 0;
beforeAll(async () => {
  service = await LimiterService.start({
    limits: { limiter: { testPerMinute: 100_000, testPerMonth: 100_000 } },
  });
  proxy = await DisturbingProxy.start(service.main.url);
  key = (await service.newKey('test')).key;
});
afterAll(async () => {
  await proxy.close();
  await service.dispose();
});
beforeEach(() => {
  users += 1;
});
afterEach(() => {
  vi.restoreAllMocks();
  proxy.reset();
  vi.unstubAllGlobals();
});

/** Lets a request hold up the next one for as long as a busy machine takes for it. */
function holdLonger(): void {
  const original = setTimeout;
  const longer = (step: () => void, ms?: number) => original(step, ms === HELD_MS ? 20_000 : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(longer as typeof setTimeout);
}

function through(options: Partial<LimiterOptions> = {}) {
  return limiter({ key, baseUrl: proxy.url, onNoAnswer: 'throw', deadlineMs: 20_000, ...options });
}

const user = (name = ''): Check => ({ ...CHECK, identifier: `user ${users}${name}` });
const paths = () => proxy.passed.map(({ path }) => path);
/** The keys of the checks in a request. */
const keysOf = ({ headers, body }: (typeof proxy.passed)[number]): readonly unknown[] =>
  (JSON.parse(body).checks ?? [{ idempotencyKey: headers['idempotency-key'] }]).map(
    (each: { readonly idempotencyKey: unknown }) => each.idempotencyKey,
  );

describe('checks at the same time', () => {
  it('travel together while a request is under way, in order, each with a key', async () => {
    holdLonger();
    const { check } = through();
    const decisions = await Promise.all(Array.from({ length: 200 }, () => check(user())));
    expect(decisions.map(({ remaining }) => remaining)).toEqual(
      Array.from({ length: 200 }, (_, index) => 999 - index),
    );
    expect(paths()).toEqual(['/v1/check', MANY]);
    expect(new Set(proxy.passed.flatMap(keysOf)).size).toBe(200);
  });

  it('fill requests of 250, which do not wait for each other', async () => {
    const { check } = through();
    const decisions = await Promise.all(Array.from({ length: 300 }, () => check(user())));
    const remaining = decisions.map((decision) => decision.remaining ?? 0);
    expect(Math.min(...remaining)).toBe(700);
    expect(new Set(remaining).size).toBe(300);
    expect(proxy.passed.map((passing) => keysOf(passing).length).toSorted((a, b) => a - b)).toEqual([
      1, 49, 250,
    ]);
  });

  it.each([
    ['half of a surrogate pair', { identifier: '\ud800' }, 'bad_request'],
    ['a limit of nothing', { limit: 0 }, 'bad_request'],
    ['more than a request holds', { identifier: 'x'.repeat(300_000) }, 'bad_request'],
  ])('leave the others alone if one has %s', async (_, wrong, code) => {
    holdLonger();
    const { check } = through({ onNoAnswer: 'allow' });
    const [first, second, spoiled, last] = await Promise.allSettled([
      check(user()),
      check(user()),
      check({ ...user(), ...wrong }),
      check(user()),
    ]);
    expect([first, second, last]).toMatchObject(
      [999, 998, 997].map((remaining) => ({ value: { source: 'service', remaining } })),
    );
    expect(spoiled).toMatchObject({
      reason: { code, status: 400, requestId: expect.stringMatching(/^req_/) },
    });
  });

  it.each(['lose', 'cut'] as const)('count once each if the proxy should %s their answer', async (fault) => {
    holdLonger();
    proxy.decide = ({ number }) => (number === 2 ? fault : 'forward');
    const { check } = through();
    const decisions = await Promise.all(Array.from({ length: 5 }, () => check(user())));
    expect(decisions.map(({ remaining }) => remaining)).toEqual([999, 998, 997, 996, 995]);
    expect(paths()).toEqual(['/v1/check', MANY, MANY]);
    expect(new Set(proxy.passed.flatMap(keysOf)).size).toBe(5);
    expect(await check(user())).toMatchObject({ remaining: 994 });
  });

  it('wait for no request that hangs, and fail at their own deadlines', async () => {
    proxy.decide = ({ number }) => (number <= 2 ? new Promise(() => undefined) : 'forward');
    const { check } = through({ deadlineMs: 2_000, onNoAnswer: 'allow' });
    const startedAt = performance.now();
    const hanging = [check(user()), check(user(' second')), check(user(' third'))];
    await vi.waitFor(() => expect(paths()).toEqual(['/v1/check', MANY]));
    expect(await check(user())).toMatchObject({ source: 'service', remaining: 999 });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const failed = { source: 'no_answer', allowed: true, error: { code: 'timeout' } };
    expect(await Promise.all(hanging)).toMatchObject([failed, failed, failed]);
  });

  it('are decided without an answer each as the options say', async () => {
    holdLonger();
    proxy.decide = () => ({ status: 500, body: '{"error":{"code":"internal_error","message":"No."}}' });
    const three = (options: Partial<LimiterOptions>) => {
      const { check } = through(options);
      return Promise.allSettled([check(user()), check(user()), check(user())]);
    };
    for (const allowed of [true, false]) {
      const value = { allowed, source: 'no_answer', error: { code: 'internal_error', status: 500 } };
      const decided = await three({ onNoAnswer: allowed ? 'allow' : 'deny' });
      expect(decided).toMatchObject([{ value }, { value }, { value }]);
    }
    const reason = { code: 'internal_error' };
    expect(await three({})).toMatchObject([{ reason }, { reason }, { reason }]);
    proxy.decide = () => ({ status: 200, body: '{"data":{"checks":[{},{}]}}' });
    const foreign = { reason: { code: 'unexpected_answer' } };
    expect(await three({})).toMatchObject([foreign, foreign, foreign]);
  });

  it('are refused one by one by a quota of the key, which pauses the next ones', async () => {
    holdLonger();
    const small = await LimiterService.start({ limits: { limiter: { testPerMonth: 3 } } });
    try {
      const { key: used } = await small.newKey('test');
      const { check } = through({ key: used, baseUrl: small.main.url, onNoAnswer: 'allow' });
      const decisions = await Promise.all(Array.from({ length: 5 }, () => check(user())));
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      const refused = { source: 'no_answer', error: { code: 'rate_limited', status: 429 } };
      expect(decisions.slice(3)).toMatchObject([refused, refused]);
      expect(decisions[4]?.retryAfterMs).toBeGreaterThan(0);
      expect(await check(user())).toMatchObject({ allowed: false, ...refused });
    } finally {
      await small.dispose();
    }
  });

  it('are sent one by one to a service that does not know the route, which is remembered', async () => {
    const notFound = '{"error":{"code":"not_found","message":"No."}}';
    proxy.decide = ({ path }) => (path === MANY ? { status: 404, body: notFound } : 'forward');
    const { check } = through();
    const three = async () =>
      (await Promise.all([check(user()), check(user()), check(user())])).map(({ remaining }) => remaining);
    // Those that are sent at the same time arrive in any order.
    expect((await three()).toSorted()).toEqual([997, 998, 999]);
    expect(paths().filter((path) => path === MANY)).toHaveLength(1);
    expect((await three()).toSorted()).toEqual([994, 995, 996]);
    expect(paths().filter((path) => path === MANY)).toHaveLength(1);
  });

  it('are sent one by one in Cloudflare Workers, whose requests must not wait for each other', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    const { check } = through();
    await Promise.all([check(user()), check(user()), check(user())]);
    expect(paths()).toEqual(['/v1/check', '/v1/check', '/v1/check']);
  });

  it('get the decisions of the same checks one after the other, whatever they are', async () => {
    holdLonger();
    const drawn = fc.record({
      identifier: fc.constantFrom('a', 'b', 'c'),
      limit: fc.constantFrom(0, 1, 3, 5),
      cost: fc.constantFrom(0, 1, 2),
    });
    const outcomeOf = async (check: Promise<object>) =>
      await check.then(
        (decision) => ({ ...decision, namespace: '', resetAt: 0, retryAfterMs: 0, source: '' }),
        ({ code }: { code: string }) => code,
      );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 12 }), async (checks) => {
        runs += 1;
        const [alone, together] = [through({ rememberedDenials: 0 }), through({ rememberedDenials: 0 })];
        const asked = (name: string) =>
          checks.map((each) => ({ ...CHECK, ...each, namespace: `${name} ${runs}` }));
        const expected: unknown[] = [];
        for (const each of asked('alone')) expected.push(await outcomeOf(alone.check(each)));
        const seen = await Promise.all(asked('together').map((each) => outcomeOf(together.check(each))));
        expect(seen).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a request', () => {
  it('is sent by Node, on kept connections, unless fetch was replaced', async () => {
    const { check } = through();
    for (let each = 0; each < 3; each += 1) await check(user());
    expect(proxy.passed[0]?.headers).not.toHaveProperty('sec-fetch-mode');
    const replaced = vi.fn(fetch);
    vi.stubGlobal('fetch', replaced);
    await check(user());
    expect(replaced).toHaveBeenCalledOnce();
    expect(proxy.passed.at(-1)?.headers).toHaveProperty('sec-fetch-mode');
  });

  it('ends with the error of a broken connection, and of an answer that is too large', async () => {
    proxy.decide = () => ({ status: 200, body: 'x'.repeat(5 * 1_024 * 1_024) });
    await expect(through().check(user())).rejects.toMatchObject({ code: 'unexpected_answer' });
    const nowhere = through({ baseUrl: 'http://127.0.0.1:1' }).check(user());
    await expect(nowhere).rejects.toMatchObject({ code: 'no_answer', message: /ECONNREFUSED/ });
  });
});
