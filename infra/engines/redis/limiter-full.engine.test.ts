import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngineFullError } from '../../../topics/ports/failures.ts';
import { activate, ask, checkWith } from '../../testing/contracts/limiter-probe.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { RedisLimiter } from './limiter.ts';
import { RedisServer } from './server.fixture.ts';

let server: RedisServer;
let limiter: RedisLimiter;

beforeAll(async () => {
  server = new RedisServer(await freePort());
  await server.start();
  limiter = await RedisLimiter.open({
    url: `redis://127.0.0.1:${server.port}`,
    prefix: `svc_test_${randomUUID()}:`,
  });
});

afterAll(async () => {
  await limiter.close();
  await server.stop();
});

const close = async () => undefined;
const setMemory = (bytes: number) => server.command('CONFIG', 'SET', 'maxmemory', String(bytes));

it('rejects with EngineFullError on a server without memory, and counts again when there is memory', async () => {
  const engine = { limiter, close };
  const check = await activate(engine, checkWith({ limit: 3 }));
  expect(await ask(engine, check)).toMatchObject({ remaining: 2 });
  await setMemory(1);
  const keyed = { ...check, idempotency: { digest: 'a', inputDigest: 'b' } };
  for (const asked of [check, { ...check, identifier: 'another' }, keyed]) {
    await expect(limiter.check(asked)).rejects.toThrow(EngineFullError);
  }
  await setMemory(0);
  expect(await ask(engine, check)).toMatchObject({ remaining: 1 });
  expect(await ask(engine, { ...check, identifier: 'another' })).toMatchObject({ remaining: 2 });
});
