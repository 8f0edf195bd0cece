import { describe, expect, it, vi } from 'vitest';
import {
  CHECK,
  check,
  engine,
  gateway,
  KEYS,
  keyIdOf,
  refusal,
  serveChecks,
  state,
  used,
} from '../../infra/testing/check-gateway.fixture.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { MINUTE_MS } from '../../schemas/base/time.ts';
import { checkAnswerSchema, limiterHealthSchema } from '../../schemas/limiter/http.ts';
import { limiterKeyFrom } from '../../schemas/limiter/keys.ts';
import { EngineFullError, EngineUnavailableError } from '../../topics/ports/failures.ts';
import { bytesOf, ORGANIZATION } from '../http/gateway.fixture.ts';

const UNKNOWN = limiterKeyFrom('live', bytesOf('unknown'));

serveChecks();

describe('POST /v1/check', () => {
  it('answers with the documented fields and no others', async () => {
    const answer = await check();
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{24}$/);
    const resetAt = engine.clock.now() + CHECK.window;
    const data = {
      allowed: true,
      remaining: 4,
      limit: 5,
      reset_at: resetAt,
      namespace: 'api',
      identifier: 'user-1',
    };
    expect(answer.body).toEqual({ data });
  });

  it('says that the limit is exhausted in the body, and when to come again', async () => {
    for (let call = 0; call < 5; call += 1) await check();
    engine.clock.advance(1_000);
    const answer = await check();
    expect(answer.status).toBe(200);
    expect(checkAnswerSchema.parse(answer.body).data).toMatchObject({
      allowed: false,
      remaining: 0,
      retry_after_ms: CHECK.window - 1_000,
    });
  });

  it.each([
    ['Bearer', `Bearer ${KEYS.live}`],
    ['bearer in small letters', `bearer ${KEYS.live}`],
    ['the bare key', KEYS.live],
  ])('takes the key as %s', async (_, authorization) => {
    expect((await check({ headers: { authorization } })).status).toBe(200);
  });

  it.each([
    ['no key', {}],
    ['an empty header', { authorization: '' }],
    ['an unknown key', { authorization: `Bearer ${UNKNOWN}` }],
    ['a key of another product', { authorization: `Bearer ${KEYS.live.replace('limiter', 'import')}` }],
    ['a key of another mode', { authorization: `Bearer ${KEYS.live.replace('live', 'prod')}` }],
    ['a short key', { authorization: `Bearer ${KEYS.live.slice(0, -1)}` }],
    ['a long key', { authorization: `Bearer ${KEYS.live}0` }],
    ['another scheme', { authorization: `Basic ${KEYS.live}` }],
    ['two keys', { authorization: [`Bearer ${KEYS.live}`, `Bearer ${KEYS.test}`] }],
  ])('answers 401 for %s, whatever the body', async (_, headers: Record<string, string | string[]>) => {
    for (const body of [JSON.stringify(CHECK), '{']) {
      const answer = await gateway.send({ method: 'POST', path: '/v1/check', headers, body });
      expect(refusal(answer)).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it.each([
    ['payment-required', [402, 'payment_required']],
    ['revoked', [401, 'unauthorized']],
    [null, [401, 'unauthorized']],
  ] as const)('answers a key that is %s before it looks at the body', async (status, expected) => {
    state.status = status;
    for (const body of [JSON.stringify(CHECK), '{', ''])
      expect(refusal(await check({ body }))).toEqual(expected);
  });

  it('stops a key with its revocation, whatever this gateway remembers', async () => {
    await check();
    const key = { account: ORGANIZATION, keyId: keyIdOf('live') };
    await engine.limiter.putKeyStatus({ ...key, status: 'revoked', version: 2 });
    expect(refusal(await check())).toEqual([401, 'unauthorized']);
    expect(refusal(await check({ body: '{' }))).toEqual([401, 'unauthorized']);
  });

  it('looks a key up once, and asks for its status once a minute', async () => {
    await Promise.all(Array.from({ length: 20 }, () => check({ json: { limit: 1_000 } })));
    engine.clock.advance(MINUTE_MS);
    await check();
    await check();
    expect(state.statusReads).toBe(2);
    const lookedUp = state.lookups;
    await check();
    expect(state.lookups).toBe(lookedUp);
  });

  it('answers 503 with the reason when the limiter has no room, and recovers', async () => {
    const full = vi.spyOn(engine.limiter, 'check').mockRejectedValueOnce(new EngineFullError('rate limiter'));
    const answer = await check();
    expect(refusal(answer)).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toBe('60');
    expect(JSON.stringify(answer.body)).toContain('no room to count this check');
    full.mockRestore();
    expect((await check()).status).toBe(200);
  });

  it('answers 500 when the limiter does not answer, and recovers', async () => {
    const failing = vi
      .spyOn(engine.limiter, 'check')
      .mockRejectedValue(new EngineUnavailableError('rate limiter'));
    expect(refusal(await check())).toEqual([500, 'internal_error']);
    failing.mockRestore();
    expect((await check()).status).toBe(200);
  });

  it('knows other methods and paths as every route does', async () => {
    const other = await gateway.send({ path: '/v1/check' });
    expect(refusal(other)).toEqual([405, 'method_not_allowed']);
    expect(other.headers.allow).toBe('OPTIONS, POST');
    expect(refusal(await gateway.send({ method: 'POST', path: '/v1/check/' }))).toEqual([404, 'not_found']);
    const headers = { authorization: KEYS.live };
    const spelled = { method: 'POST', path: '/v1/check?x=1', headers, body: JSON.stringify(CHECK) };
    expect((await gateway.send(spelled)).status).toBe(200);
  });

  it('leaves one line in the log, without key, namespace and identifier', async () => {
    const answer = await check({ json: { namespace: 'private-1', identifier: 'private-2' } });
    await check({ json: { namespace: 'private-1', identifier: 'private-2', limit: 0 } });
    await vi.waitFor(() => expect(gateway.lines.length).toBeGreaterThanOrEqual(2));
    expect(gateway.lines.join('')).not.toMatch(/private|svc_limiter/);
    expect(gateway.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        requestId: answer.headers['x-request-id'],
        route: 'check',
        method: 'POST',
        status: 200,
        principal: 'limiter',
        caller: keyIdOf('live'),
      }),
    );
  });
});

describe('what is not a check', () => {
  const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
  const text = (changes: object) => JSON.stringify({ ...CHECK, ...changes });
  const raw = (member: string) => `${JSON.stringify(CHECK).slice(0, -1)},${member}}`;

  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['no JSON', '{'],
    ['JSON that is cut off', text({}).slice(0, -5)],
    ['no object', '[]'],
    ['null', 'null'],
    ['NaN', text({}).replace('60000', 'NaN')],
    ['Infinity', text({}).replace('60000', 'Infinity')],
    ['no namespace', text({ namespace: undefined })],
    ['no identifier', text({ identifier: undefined })],
    ['no limit', text({ limit: undefined })],
    ['no window', text({ window: undefined })],
    ['an empty namespace', text({ namespace: '' })],
    ['an empty identifier', text({ identifier: '' })],
    ['a namespace of 129 characters', text({ namespace: 'n'.repeat(129) })],
    ['an identifier of 257 characters', text({ identifier: 'i'.repeat(257) })],
    ['a number as namespace', text({ namespace: 1 })],
    ['null as identifier', text({ identifier: null })],
    ['a limit of 0', text({ limit: 0 })],
    ['a negative limit', text({ limit: -1 })],
    ['a limit with a fraction', text({ limit: 1.5 })],
    ['a limit as text', text({ limit: '5' })],
    ['a limit of 1e21', text({}).replace('"limit":5', '"limit":1e21')],
    ['a limit of 1e400', text({}).replace('"limit":5', '"limit":1e400')],
    ['a limit beyond 2^53', text({}).replace('"limit":5', '"limit":9007199254740993')],
    ['a limit above a thousand million', text({ limit: 1_000_000_001 })],
    ['true as limit', text({ limit: true })],
    ['a window of 0', text({ window: 0 })],
    ['a negative window', text({ window: -60_000 })],
    ['a window of half a millisecond', text({ window: 0.5 })],
    ['a window above 31 days', text({ window: 2_678_400_001 })],
    ['a window as text', text({ window: '60000' })],
    ['a negative cost', text({ cost: -1 })],
    ['a cost with a fraction', text({ cost: 0.1 })],
    ['a cost as text', text({ cost: '1' })],
    ['null as cost', text({ cost: null })],
    ['a member that comes twice', raw('"limit":6')],
    ['__proto__', raw('"__proto__":{"limit":1}')],
    ['NUL in a text', text({ identifier: 'a\0b' })],
    ['half a surrogate pair', raw('"x":"\\ud800"')],
    ['deep nesting', deep],
    ['deep nesting in a member that is not known', raw(`"x":${deep}`)],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['more than a check takes', text({ more: 'x'.repeat(2_000) })],
  ])('is answered with 400 and charged to no organization: %s', async (_, body) => {
    const answer = await check({ body });
    expect(refusal(answer)).toEqual([400, 'bad_request']);
    expect(answer.body.error.message).not.toContain('user-1');
    expect(await used()).toBe(0);
    // The look itself is the one call that the minute has seen.
    const { headers } = await check();
    expect(headers['ratelimit']).toBe('"minute";r=998;t=50');
  });

  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed', { 'content-encoding': 'gzip' }],
    ['two types', { 'content-type': ['application/json', 'application/json'] }],
  ])('is answered with 400: %s', async (_, headers: Record<string, string | string[]>) => {
    expect(refusal(await check({ headers }))).toEqual([400, 'bad_request']);
    expect(await used()).toBe(0);
  });

  it.each(['a'.repeat(129), 'schön', ''])('is answered with 400: the Idempotency-Key %j', async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    expect(refusal(await check({ headers }))).toEqual([400, 'bad_request']);
  });
});

describe('a check', () => {
  it.each([
    ['members that are not known', { more: [1, { a: null }], Limit: 'x' }],
    ['128 characters of four bytes', { namespace: '😀'.repeat(128) }],
    ['the largest numbers', { limit: 1_000_000_000, window: 2_678_400_000, cost: 1_000_000_000 }],
    ['the smallest numbers', { limit: 1, window: 1 }],
    ['limits with an exponent', { limit: 1e3, window: 6e4 }],
  ])('may have %s', async (_, json) => {
    const { status, body } = await check({ json });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ allowed: true, namespace: { ...CHECK, ...json }.namespace });
  });

  it('may come without a content type, in pieces and after 100 Continue', async () => {
    const body = JSON.stringify(CHECK);
    const head = `POST /v1/check HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEYS.live}\r\nConnection: close\r\n`;
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('');
    const answer = await gateway.sendRaw(
      `${head}Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n${chunks}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain('"allowed":true');
  });

  it('keeps test and live apart', async () => {
    await check({ json: { limit: 1 } });
    expect(await used({ limit: 1 })).toBe(1);
    const other = await check({ json: { limit: 1 }, headers: { authorization: KEYS.test } });
    expect(other.body.data.allowed).toBe(true);
  });

  it('weighs what it costs; 0 looks and takes nothing', async () => {
    expect((await check({ json: { cost: 3 } })).body.data).toMatchObject({ allowed: true, remaining: 2 });
    expect((await check({ json: { cost: 3 } })).body.data).toMatchObject({ allowed: false, remaining: 2 });
    expect((await check({ json: { cost: 0 } })).body.data).toMatchObject({ allowed: true, remaining: 2 });
    expect((await check({ json: { cost: 2 } })).body.data).toMatchObject({ allowed: true, remaining: 0 });
    expect((await check({ json: { cost: 0 } })).body.data).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('names no time to wait where the cost is beyond the limit', async () => {
    const { data } = (await check({ json: { cost: 6 } })).body;
    expect(data).toMatchObject({ allowed: false, remaining: 5 });
    expect(data).not.toHaveProperty('retry_after_ms');
    await check({ json: { cost: 5 } });
    expect((await check({ json: { cost: 5 } })).body.data).toMatchObject({ retry_after_ms: CHECK.window });
  });

  it('counts once for a minute under one Idempotency-Key, and not with other input', async () => {
    const headers = { 'idempotency-key': 'order 17' };
    const first = await check({ headers });
    const again = await check({ headers });
    expect(again.body).toEqual(first.body);
    expect(await used()).toBe(1);
    expect(refusal(await check({ headers, json: { identifier: 'other' } }))).toEqual([
      409,
      'idempotency_conflict',
    ]);
    engine.clock.advance(MINUTE_MS);
    await check({ headers });
    expect(await used()).toBe(1);
  });

  it('names a repeat as gateways of the version before do, beside which it may run', async () => {
    const asked = vi.spyOn(engine.limiter, 'check');
    await check({ headers: { 'idempotency-key': 'order 17' } });
    const { namespace, identifier, limit, window } = CHECK;
    expect(asked.mock.calls[0]?.[0].idempotency).toEqual({
      digest: sha256Hex('order 17'),
      inputDigest: sha256Hex(JSON.stringify([namespace, identifier, limit, window, 1])),
    });
  });
});

it('describes its answers, and none that it cannot give', () => {
  const paths = gateway.gateway.openapi()['paths'] as Record<string, Record<string, { responses: object }>>;
  const { responses } = paths['/v1/check']?.['post'] ?? { responses: {} };
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '402', '409', '429', '500', '503']);
});

describe('GET /v1/health', () => {
  it('needs no key and says that the limiter is healthy', async () => {
    const answer = await gateway.send({ path: '/v1/health' });
    expect(answer.status).toBe(200);
    expect(limiterHealthSchema.parse(answer.body).data).toMatchObject({
      status: 'healthy',
      product: 'limiter',
      version: 'v1',
      timestamp: new Date(gateway.world.now).toISOString(),
    });
  });
});
