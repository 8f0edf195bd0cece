import { describe, expect, it } from 'vitest';
import {
  check,
  engine,
  KEYS,
  keyIdOf,
  refusal,
  serveChecks,
  state,
  UNKNOWN_PER_MINUTE,
} from '../../infra/testing/check-gateway.fixture.ts';
import { MINUTE_MS } from '../../schemas/base/time.ts';
import { limiterKeyFrom } from '../../schemas/limiter/keys.ts';
import { bytesOf, ORGANIZATION } from '../http/gateway.fixture.ts';

serveChecks();

describe('unknown keys of one address', () => {
  const unknown = (name: string) => ({ authorization: limiterKeyFrom('live', bytesOf(name)) });

  it('are looked up as often as the address may, then refused, while known keys still work', async () => {
    await check();
    state.lookups = 0;
    for (let index = 0; index < UNKNOWN_PER_MINUTE; index += 1) {
      expect(refusal(await check({ headers: unknown(`${index}`) }))).toEqual([401, 'unauthorized']);
    }
    const refused = await check({ headers: unknown('one more') });
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(state.lookups).toBe(UNKNOWN_PER_MINUTE);
    expect((await check()).status).toBe(200);
  });

  it('leave a neighbour its new key when one is repeated', async () => {
    for (let call = 0; call < 5 * UNKNOWN_PER_MINUTE; call += 1) {
      expect(refusal(await check({ headers: unknown('wrong') }))).toEqual([401, 'unauthorized']);
    }
    expect((await check({ headers: { authorization: KEYS.test } })).status).toBe(200);
  });
});

describe("a key's own quota", () => {
  it('is told in headers that parse as lists of RFC 9651, in whole seconds', async () => {
    const { headers } = await check();
    expect(headers['ratelimit-policy']).toBe('"minute";q=1000;w=60');
    expect(headers['ratelimit']).toBe('"minute";r=999;t=50');
    engine.clock.advance(49_001);
    expect((await check()).headers['ratelimit']).toBe('"minute";r=998;t=1');
  });

  it('ends with 429 and leaves the window as it was, and starts again with the minute', async () => {
    const headers = { authorization: KEYS.test };
    const json = { limit: 1_000 };
    for (let call = 0; call < 50; call += 1) await check({ headers, json });
    const refused = await check({ headers, json });
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers).toMatchObject({ 'retry-after': '50' });
    expect(refused.headers['ratelimit']).toMatch(/^"minute";r=0;t=50, "month";r=950;t=\d+$/);
    engine.clock.advance(50_000);
    expect((await check({ headers, json })).body.data.remaining).toBe(949);
  });

  it('lets a test key make 1,000 calls in a month, those of before included', async () => {
    state.monthUse = 999;
    const headers = { authorization: KEYS.test };
    expect((await check({ headers })).status).toBe(200);
    const refused = await check({ headers });
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    const seconds = (Date.UTC(2027, 1, 1) - engine.clock.now()) / 1_000;
    expect(Number(refused.headers['retry-after'])).toBe(Math.ceil(seconds));
  });

  it('names the month of a test key beside the minute, in front where less of it is left', async () => {
    const headers = { authorization: KEYS.test };
    const toTheEnd = Math.ceil((Date.UTC(2027, 1, 1) - engine.clock.now()) / 1_000);
    const sound = await check({ headers });
    // January has 31 days.
    expect(sound.headers['ratelimit-policy']).toBe('"minute";q=50;w=60, "month";q=1000;w=2678400');
    expect(sound.headers['ratelimit']).toBe(`"minute";r=49;t=50, "month";r=999;t=${toTheEnd}`);
    engine.clock.advance(MINUTE_MS);
    const month = '2027-02';
    await engine.limiter.fillMonth({ account: ORGANIZATION, keyId: keyIdOf('test'), month, used: 1_000 });
    engine.clock.advance(Date.UTC(2027, 1, 1) - engine.clock.now());
    const refused = await check({ headers });
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers['ratelimit-policy']).toBe('"month";q=1000;w=2419200, "minute";q=50;w=60');
    expect(refused.headers['ratelimit']).toBe('"month";r=0;t=2419200, "minute";r=50;t=60');
    expect(refused.headers['retry-after']).toBe('2419200');
  });

  it('does not stop a look by the month', async () => {
    state.monthUse = 1_000;
    const headers = { authorization: KEYS.test };
    expect((await check({ headers })).status).toBe(429);
    const look = await check({ headers, json: { cost: 0 } });
    expect(look.body.data).toMatchObject({ allowed: true, remaining: 5 });
  });

  it('never stops a live key by the month', async () => {
    state.monthUse = 100_000;
    expect((await check()).status).toBe(200);
  });
});
