import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { activate, ask, checkWith } from '../../testing/contracts/limiter-probe.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { RedisLimiter } from './limiter.ts';
import { LimiterKeys } from './limiter-keys.ts';
import { RedisServer } from './server.fixture.ts';

const WINDOWS = 1_000;

let server: RedisServer;
let limiter: RedisLimiter;
let prefix: string;

beforeAll(async () => {
  server = new RedisServer(await freePort());
  await server.start();
});
afterAll(() => server.stop());

beforeEach(async () => {
  prefix = 'svc:';
  limiter = await RedisLimiter.open({ url: `redis://127.0.0.1:${server.port}`, prefix });
  return () => limiter.close();
});

const engine = () => ({ limiter, close: async () => undefined });
const names = (number: number) => ({
  namespace: '🙂'.repeat(128),
  identifier: `${'🙂'.repeat(250)}${number}`,
});

describe('RedisLimiter with long names', () => {
  it('takes at most 300 bytes a window', async () => {
    const used = async () =>
      Number(/used_memory:(\d+)/.exec(String(await server.command('INFO', 'memory')))?.[1]);
    const check = await activate(engine(), checkWith({ windowMs: 24 * HOUR_MS }));
    const begin = async (first: number, last: number) => {
      for (let number = first; number < last; number += 1)
        await ask(engine(), { ...check, ...names(number) });
    };
    // What the server needs once: the script, the client's buffers.
    await begin(0, WINDOWS);
    const before = await used();
    await begin(WINDOWS, 3 * WINDOWS);
    const bytes = ((await used()) - before) / (2 * WINDOWS);
    expect(bytes).toBeLessThan(300);
  });

  it('continues a window that an earlier version has started under its names, and ends it on request', async () => {
    const check: Check = { ...checkWith({ limit: 3 }), ...names(1) };
    const earlier = new LimiterKeys(prefix).namedInFull(check);
    const resetAt = Date.now() + HOUR_MS;
    const start = () => server.command('SET', earlier, `1 ${resetAt}`, 'PXAT', String(resetAt));
    await start();
    await activate(engine(), check);
    expect(await limiter.readWindow(check)).toEqual({ used: 1, resetAt });
    expect(await ask(engine(), check)).toMatchObject({ remaining: 1, resetAt });
    expect(await server.command('GET', earlier)).toBe(`2 ${resetAt}`);
    expect(await limiter.endWindow(check)).toBe(true);
    expect(await ask(engine(), check)).toMatchObject({ remaining: 2 });
  });
});
