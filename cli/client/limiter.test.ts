import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LimiterService } from '../../infra/testing/e2e/limits/limiter-service.fixture.ts';
import type { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { freePort } from '../../infra/tools/service-process/service-process.ts';
import { DisturbingProxy } from '../testing/proxy.fixture.ts';
import type { Decision, LimiterOptions } from './check.ts';
import { limiter } from './limiter.ts';

const HOUR_MS = 3_600_000;
const CHECK = { namespace: 'login', limit: 2, window: HOUR_MS };

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
  proxy.reset();
  vi.useRealTimers();
});

/** A limiter behind the proxy, with a deadline that a busy machine meets. */
function through(options: Partial<LimiterOptions> = {}) {
  return limiter({ key, baseUrl: proxy.url, onNoAnswer: 'throw', deadlineMs: 20_000, ...options });
}

const user = (name = '') => ({ ...CHECK, identifier: `user ${users}${name}` });

describe('limiter', () => {
  it('allows as many requests as the limit says, and tells what is left', async () => {
    const { check } = through();
    const decisions: Decision[] = [];
    for (let each = 0; each < 3; each += 1) decisions.push(await check(user()));
    expect(decisions.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    const { window: _, ...echo } = user();
    expect(decisions.at(-1)).toMatchObject({ ...echo, source: 'service', error: null });
    expect(decisions.at(-1)?.retryAfterMs).toBeGreaterThan(HOUR_MS / 2);
  });

  it('allows exactly the limit to checks at the same time', async () => {
    const { check } = through();
    const decisions = await Promise.all(Array.from({ length: 20 }, () => check({ ...user(), limit: 7 })));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(7);
  });

  it.each(['key', 'baseUrl', 'onNoAnswer'] as const)('needs the option %s', (name) => {
    const { [name]: _, ...others } = { key, baseUrl: proxy.url, onNoAnswer: 'allow' as const };
    expect(() => limiter(others as LimiterOptions)).toThrow(TypeError);
  });

  it('throws for a check that the service cannot read, whatever onNoAnswer says', async () => {
    const { check } = through({ onNoAnswer: 'allow' });
    await expect(check({ ...user(), identifier: 'x'.repeat(257) })).rejects.toMatchObject({
      code: 'bad_request',
      status: 400,
      retryable: false,
      requestId: expect.stringMatching(/^req_/),
    });
    await expect(check({ ...user(), identifier: 'x'.repeat(100_000) })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});

describe('a remembered denial', () => {
  async function denied(options: Partial<LimiterOptions> = {}) {
    const { check } = through(options);
    for (let each = 0; each < 3; each += 1) await check(user());
    proxy.reset();
    return check;
  }

  it('costs the service nothing, and says the same', async () => {
    const check = await denied();
    const decisions = await Promise.all(Array.from({ length: 1_000 }, () => check(user())));
    expect(proxy.passed).toEqual([]);
    expect(new Set(decisions.map(({ allowed, source }) => `${allowed} ${source}`))).toEqual(
      new Set(['false memory']),
    );
    const [fresh] = [await through({ rememberedDenials: 0 }).check(user())];
    expect(decisions[0]).toMatchObject({ ...fresh, source: 'memory', retryAfterMs: expect.any(Number) });
  });

  it('decides only what the service would decide alike', async () => {
    const check = await denied();
    expect(await check({ ...user(), limit: 3 })).toMatchObject({ allowed: true, source: 'service' });
    expect(await check({ ...user(), cost: 0 })).toMatchObject({ source: 'service' });
    expect(await check({ ...user(), window: 2 * HOUR_MS })).toMatchObject({
      allowed: true,
      source: 'service',
    });
    expect(await check({ ...user(), namespace: 'other' })).toMatchObject({
      allowed: true,
      source: 'service',
    });
    expect(await check({ ...user(), limit: 1 })).toMatchObject({ allowed: false, source: 'memory' });
  });

  it('keeps a smaller cost to the service where a larger one was denied', async () => {
    const { check } = through();
    expect(await check({ ...user(), cost: 1 })).toMatchObject({ allowed: true });
    expect(await check({ ...user(), cost: 2 })).toMatchObject({ allowed: false, source: 'service' });
    expect(await check({ ...user(), cost: 2 })).toMatchObject({ allowed: false, source: 'memory' });
    expect(await check({ ...user(), cost: 1 })).toMatchObject({ allowed: true, source: 'service' });
  });

  it.each([-HOUR_MS * 24 * 365, HOUR_MS * 24 * 365])(
    'is asked again after ten seconds, in case of a reset, if the clock of this machine is wrong by %i ms',
    async (wrongMs) => {
      vi.useFakeTimers({ now: Date.now() + wrongMs, toFake: ['Date', 'performance'] });
      const check = await denied();
      vi.advanceTimersByTime(9_000);
      const { source, retryAfterMs } = await check(user());
      expect(source).toBe('memory');
      expect(retryAfterMs).toBeGreaterThan(HOUR_MS / 2);
      await service.send('POST', '/v1/checks/reset', {
        json: { namespace: CHECK.namespace, identifier: user().identifier, window: HOUR_MS },
        headers: { Authorization: `Bearer ${key}` },
      });
      vi.advanceTimersByTime(1_000);
      expect(await check(user())).toMatchObject({ allowed: true, source: 'service' });
    },
  );

  it('is bounded, and can be switched off', async () => {
    const check = await denied({ rememberedDenials: 1 });
    for (let each = 0; each < 3; each += 1) await check(user(' another'));
    expect(await check(user())).toMatchObject({ allowed: false, source: 'service' });
    const without = await denied({ rememberedDenials: 0 });
    expect(await without(user())).toMatchObject({ allowed: false, source: 'service' });
  });
});

describe('a window', () => {
  it('is read without counting', async () => {
    const { check, peek } = through();
    await check(user());
    for (const _ of [1, 2]) expect(await peek(user())).toMatchObject({ remaining: 1, source: 'service' });
    expect(await check(user())).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('ends at a reset, in this process at once', async () => {
    const { check, reset } = through();
    for (let each = 0; each < 3; each += 1) await check(user());
    expect(await check(user())).toMatchObject({ allowed: false, source: 'memory' });
    expect(await reset(user())).toBe(true);
    expect(await check(user())).toMatchObject({ allowed: true, remaining: 1 });
    expect(await reset(user(' who never came'))).toBe(false);
  });

  it('is not reset without an answer, whatever onNoAnswer says', async () => {
    proxy.decide = () => refusal(503, 'unavailable');
    await expect(through({ onNoAnswer: 'allow' }).reset(user())).rejects.toMatchObject({
      code: 'unavailable',
    });
    proxy.decide = () => ({ status: 200, body: 'null' });
    await expect(through({ onNoAnswer: 'allow' }).reset(user())).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
  });
});

describe('several limits at once', () => {
  const pair = () => [user(' one'), { ...user(' other'), namespace: 'address', limit: 4 }] as const;

  it('all count the request or none, and the decision is that of the strictest', async () => {
    const { checkAll } = through();
    const allowed = await checkAll(pair());
    expect(allowed).toMatchObject({ ...pair()[0], allowed: true, remaining: 1, source: 'service' });
    expect(allowed.checks.map(({ remaining }) => remaining)).toEqual([1, 3]);
    await checkAll(pair());
    const denied = await checkAll(pair());
    expect(denied).toMatchObject({ allowed: false, namespace: 'login', source: 'service', error: null });
    expect(denied.retryAfterMs).toBeGreaterThan(HOUR_MS / 2);
    expect(denied.checks).toMatchObject([
      { allowed: false, remaining: 0 },
      { allowed: true, remaining: 2 },
    ]);
  });

  it('are denied without a request while one of them is known to be', async () => {
    const { check, checkAll } = through();
    for (let each = 0; each < 3; each += 1) await check(pair()[0]);
    proxy.reset();
    const denied = await checkAll(pair());
    expect(denied).toMatchObject({ allowed: false, namespace: 'login', source: 'memory' });
    expect(denied.checks[1]).toMatchObject({ allowed: true, remaining: null });
    expect(proxy.passed).toEqual([]);
    expect(await check(pair()[1])).toMatchObject({ remaining: 3 });
  });

  it('are let through or not as onNoAnswer says', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    for (const onNoAnswer of ['allow', 'deny'] as const) {
      const { checkAll } = through({ baseUrl: nowhere, onNoAnswer });
      const allowed = onNoAnswer === 'allow';
      expect(await checkAll(pair())).toMatchObject({
        allowed,
        source: 'no_answer',
        checks: [{ allowed }, { allowed }],
      });
    }
  });

  it('throw if two are about one window, and tell each decision once', async () => {
    const seen: Decision[] = [];
    const { checkAll } = through({ onNoAnswer: 'allow', onDecision: (decision) => seen.push(decision) });
    const [first, second] = pair();
    await expect(checkAll([first, first])).rejects.toMatchObject({ code: 'bad_request' });
    await checkAll([first, second]);
    expect(seen).toMatchObject([{ namespace: 'login', allowed: true }]);
  });
});

describe('a used-up quota of the key', () => {
  const usedUp = (seconds: number) => refusal(429, 'rate_limited', { 'retry-after': `${seconds}` });

  it('denies in a flood what the key has no quota for, whatever onNoAnswer says', async () => {
    const small = await LimiterService.start({ limits: { limiter: { testPerMonth: 10 } } });
    try {
      const { key: flooded } = await small.newKey('test');
      const { check } = limiter({
        key: flooded,
        baseUrl: small.main.url,
        onNoAnswer: 'allow',
        deadlineMs: 20_000,
      });
      const decisions: Decision[] = [];
      for (let each = 0; each < 60; each += 1) decisions.push(await check(user(` ${each}`)));
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
      expect(decisions.at(-1)).toMatchObject({
        source: 'no_answer',
        error: { code: 'rate_limited', status: 429 },
      });
      expect(decisions.at(-1)?.retryAfterMs).toBeLessThanOrEqual(60_000);
    } finally {
      await small.dispose();
    }
  });

  it('sends no check until the pause has passed', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    proxy.decide = ({ number }) => (number === 1 ? usedUp(30) : 'forward');
    const { check } = through({ onNoAnswer: 'allow' });
    expect(await check(user())).toMatchObject({ allowed: false, retryAfterMs: 30_000 });
    vi.advanceTimersByTime(29_000);
    expect(await check(user(' another'))).toMatchObject({ allowed: false, retryAfterMs: 1_000 });
    expect(proxy.passed).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(await check(user())).toMatchObject({ allowed: true, source: 'service' });
  });

  it('asks again after a minute if the pause is longer', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    proxy.decide = ({ number }) => (number === 1 ? usedUp(2_000_000) : 'forward');
    const { check } = through({ onNoAnswer: 'deny' });
    expect(await check(user())).toMatchObject({ allowed: false, retryAfterMs: 2_000_000_000 });
    vi.advanceTimersByTime(60_000);
    expect(await check(user())).toMatchObject({ allowed: true });
  });

  it('of windows denies a new window, and leaves the others to the service', async () => {
    proxy.decide = ({ number }) =>
      number === 1 ? refusal(429, 'limit_reached', { 'retry-after': '60' }) : 'forward';
    const { check } = through({ onNoAnswer: 'allow' });
    expect(await check(user())).toMatchObject({ allowed: false, error: { code: 'limit_reached' } });
    expect(await check(user())).toMatchObject({ allowed: true, source: 'service' });
  });

  it('throws if it is told so, in the pause as well', async () => {
    proxy.decide = () => usedUp(30);
    const { check } = through();
    for (let each = 0; each < 2; each += 1) {
      await expect(check(user())).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
    }
    expect(proxy.passed).toHaveLength(1);
  });
});

describe('limiter under faults', () => {
  it.each(['lose', 'cut'] as const)('counts once if the proxy should %s an answer', async (fault) => {
    proxy.decide = ({ number }) => (number === 1 ? fault : 'forward');
    const { check } = through();
    expect(await check(user())).toMatchObject({ allowed: true, remaining: 1 });
    expect(proxy.passed).toHaveLength(2);
    expect(new Set(proxy.passed.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await check(user())).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('repeats after a 503 that names a pause, with the same key', async () => {
    proxy.decide = ({ number }) =>
      number === 1 ? refusal(503, 'unavailable', { 'retry-after': '1' }) : 'forward';
    const begunAt = performance.now();
    expect(await through().check(user())).toMatchObject({ allowed: true });
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(1_000);
  });

  it('sends no request again in a storm of 503', async () => {
    proxy.decide = () => refusal(503, 'unavailable', { 'retry-after': '60' });
    const { check } = through({ onNoAnswer: 'allow' });
    const decisions = await Promise.all(Array.from({ length: 50 }, () => check(user())));
    expect(new Set(decisions.map(({ error }) => error?.code))).toEqual(new Set(['unavailable']));
    expect(proxy.passed.length).toBeLessThan(50);
    const keys = proxy.passed.flatMap(({ headers, body }) => [headers['idempotency-key'] ?? body]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([
    ['allow', true],
    ['deny', false],
  ] as const)('decides %s at its deadline if the service is slow', async (onNoAnswer, allowed) => {
    proxy.decide = () => new Promise(() => undefined);
    const begunAt = performance.now();
    const decision = await through({ onNoAnswer, deadlineMs: 100 }).check(user());
    expect(decision).toMatchObject({
      allowed,
      source: 'no_answer',
      remaining: null,
      error: { code: 'timeout' },
    });
    expect(performance.now() - begunAt).toBeLessThan(5_000);
  });

  it('throws without an answer if it is told so', async () => {
    await expect(through({ key: `svc_limiter_test_${'x'.repeat(32)}` }).check(user())).rejects.toMatchObject({
      code: 'unauthorized',
      retryable: false,
    });
    proxy.decide = () => ({ status: 502, body: '<html>' });
    await expect(through().check(user())).rejects.toMatchObject({ code: 'unexpected_answer', status: 502 });
    proxy.decide = () => ({ status: 200, body: '{"data":{}}' });
    await expect(through().check(user())).rejects.toMatchObject({ code: 'unexpected_answer' });
    const refused = through({ baseUrl: `http://127.0.0.1:${await freePort()}` }).check(user());
    await expect(refused).rejects.toMatchObject({ code: 'no_answer', retryable: true, status: null });
  });

  it('tells its decisions to a hook, whose faults change none', async () => {
    const seen: unknown[] = [];
    const onDecision: LimiterOptions['onDecision'] = ({ source }, durationMs) => {
      seen.push([source, durationMs >= 0]);
      throw new Error('a fault of the metrics');
    };
    const { check } = through({ onDecision });
    for (let each = 0; each < 4; each += 1) await check(user());
    expect(seen).toEqual([
      ['service', true],
      ['service', true],
      ['service', true],
      ['memory', true],
    ]);
  });
});

describe('an error', () => {
  it('shows no credential, wherever it is printed', async () => {
    const secret = `svc_limiter_test_${'S'.repeat(32)}`;
    const failing: (() => unknown)[] = [
      () => through({ key: secret }).check(user()),
      () => through({ key: secret, baseUrl: 'http://127.0.0.1:1' }).check(user()),
      () => through({ key: `${secret}\n` }),
      () => through({ key: secret, baseUrl: `http://user:${secret}@127.0.0.1` }),
      () =>
        through({ key: secret, fetch: () => Promise.reject(new TypeError(`bad header ${secret}`)) }).check(
          user(),
        ),
    ];
    for (const fail of failing) {
      const error = await Promise.resolve()
        .then(fail)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      const printed = [inspect(error, { depth: 9, showHidden: true }), String(error), (error as Error).stack];
      expect(`${printed} ${JSON.stringify(error)}`).not.toContain('SSSS');
    }
    expect(inspect(through({ key: secret }), { depth: 9, showHidden: true })).not.toContain('SSSS');
  });
});

function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}) {
  return { status, headers, body: JSON.stringify({ error: { code, message: 'No.', request_id: 'req_1' } }) };
}
