import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { WAIT } from '../../testing/contracts/engine.fixture.ts';
import { describeLimiterContract } from '../../testing/contracts/limiter.contract.ts';
import {
  activate,
  ask,
  askTimes,
  checkWith,
  expectAnswered,
  pendingOf,
} from '../../testing/contracts/limiter-probe.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { TcpProxy } from '../shared/tcp-proxy.fixture.ts';
import { COMMAND_TIMEOUT_MS, type RedisSettings } from './connection.ts';
import { RedisLimiter } from './limiter.ts';
import { ENTRIES_UNDER_WAY_MAX } from './limiter-batches.ts';
import { RedisServer } from './server.fixture.ts';

let server: RedisServer;
beforeAll(async () => {
  server = new RedisServer(await freePort());
  await server.start();
});
afterAll(() => server.stop());

const settingsAt = (address: string): RedisSettings => ({
  url: `redis://${address}`,
  prefix: `svc_test_${randomUUID()}:`,
});
const settings = () => settingsAt(`127.0.0.1:${server.port}`);

describeLimiterContract('redis', async () => {
  const limiter = await RedisLimiter.open(settings());
  return { limiter, close: () => limiter.close() };
});

describe('RedisLimiter', () => {
  let used: RedisSettings;
  let limiter: RedisLimiter;
  let check: Check;
  beforeEach(async () => {
    used = settings();
    limiter = await RedisLimiter.open(used);
    check = await activate({ limiter, close }, checkWith({ limit: 1_000 }));
  });
  afterEach(async () => {
    await limiter.close();
  });
  const close = async () => undefined;
  const engine = () => ({ limiter, close });
  const keys = async () => (await server.command('KEYS', `${used.prefix}*`)) as string[];
  /** Waits until what a test counts in this minute fits in. */
  const beginMinute = () => vi.waitUntil(() => Date.now() % MINUTE_MS < MINUTE_MS - 10_000, WAIT);
  const windows = async () => (await keys()).filter((key) => key.includes(':window:'));

  it('counts once after the server has lost its scripts, also in the middle of a pipeline', async () => {
    await ask(engine(), check);
    const flushed = server.command('SCRIPT', 'FLUSH');
    const answers = [
      ...(await askTimes(engine(), check, 100)),
      ...(await flushed.then(() => askTimes(engine(), check, 100))),
    ];
    expect(answers.map(({ remaining }) => remaining).sort((left, right) => right - left)).toEqual(
      Array.from({ length: 200 }, (_, index) => 998 - index),
    );
  });

  it('sends a script once to a server that does not know it, and its digest from then on', async () => {
    await ask(engine(), check);
    await server.command('SCRIPT', 'FLUSH');
    await ask(engine(), check);
    await server.command('CONFIG', 'RESETSTAT');
    for (let call = 0; call < 50; call += 1) await ask(engine(), check);
    const stats = String(await server.command('INFO', 'commandstats'));
    expect(stats).toMatch(/cmdstat_evalsha:calls=50,/);
    expect(stats).not.toContain('cmdstat_eval:');
  });

  it('sends simultaneous checks together, in a batch for each key and quota', async () => {
    const second = await activate(engine(), { ...check, keyId: `${check.keyId}b` });
    const strict = { ...check, quota: { minute: 1, month: null } };
    await server.command('CONFIG', 'RESETSTAT');
    const results = await Promise.all([
      ...Array.from({ length: 20 }, () => limiter.check(check)),
      ...Array.from({ length: 20 }, () => limiter.check(second)),
      limiter.check(strict),
    ]);
    expect(results.slice(0, 40).every(({ kind }) => kind === 'answered')).toBe(true);
    expect(results.at(-1)).toMatchObject({ kind: 'quota-exceeded' });
    expect(String(await server.command('INFO', 'commandstats'))).toMatch(/cmdstat_evalsha:calls=3,/);
  });

  it('sets a time to live on every Redis key', async () => {
    const month = utcMonth(Date.now());
    await limiter.fillMonth({ ...check, month, used: 0 });
    for (let index = 0; index < 2_000; index += 1) {
      const idempotency = { digest: `digest${index % 500}`, inputDigest: 'input' };
      await limiter.check({
        ...check,
        identifier: `user ${index % 100}`,
        limit: 1 + (index % 7),
        windowMs: 10_000 + (index % 2) * HOUR_MS,
        cost: index % 4,
        quota: { minute: index % 10 === 0 ? 1 : 10_000, month: index % 2 === 0 ? 100_000 : null },
        idempotency,
      });
    }
    const counters = (await keys()).filter((key) => !key.includes('{accounts}'));
    expect(counters.length).toBeGreaterThan(100);
    for (const key of counters) {
      const left = Number(await server.command('PTTL', key));
      expect(left).toBeGreaterThan(0);
      if (key.includes(':window:')) expect(left).toBeLessThanOrEqual(10_000 + HOUR_MS);
    }
  });

  it('keeps all Redis keys of an account in one slot of a cluster', async () => {
    await ask(engine(), { ...check, namespace: '{braces}', idempotency: { digest: 'd', inputDigest: 'i' } });
    const ofAccount = (await keys()).filter((key) => key.includes(check.account));
    expect(ofAccount).toHaveLength(5);
    expect(ofAccount.every((key) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1] === check.account)).toBe(true);
  });

  it('counts the live windows of an account', async () => {
    const counted = async () => {
      const key = (await keys()).find((each) => each.endsWith(':windows'));
      const fields = (await server.command('HGETALL', String(key))) as string[];
      return Object.fromEntries(
        fields.flatMap((field, at) => (at % 2 === 0 ? [[field, fields[at + 1]]] : [])),
      );
    };
    const begin = (count: number, windowMs: number, prefix: string) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          ask(engine(), { ...check, windowMs, identifier: `${prefix} ${index}` }),
        ),
      );
    await begin(70, 60_000, 'a');
    await begin(30, 2 * HOUR_MS, 'b');
    const { live, next, ...ends } = await counted();
    expect(live).toBe('100');
    expect(Math.min(...Object.keys(ends).map(Number))).toBe(Number(next));
    expect(Object.values(ends).reduce((sum, count) => sum + Number(count), 0)).toBe(100);
    // Moves the end of the first windows far into the past.
    const key = String((await keys()).find((each) => each.endsWith(':windows')));
    await server.command('HSET', key, 'next', '1', '1', '7', 'live', '107');
    const strict = { ...check, windowsMax: 101 };
    expect(await limiter.check({ ...strict, identifier: 'c' })).toMatchObject({ kind: 'answered' });
    expect(await limiter.check({ ...strict, identifier: 'd' })).toMatchObject({ kind: 'windows-exhausted' });
    expect((await counted())['live']).toBe('101');
    expect(await counted()).not.toHaveProperty('1');
  });

  it('creates no window for a peek', async () => {
    for (let round = 0; round < 50; round += 1) await askTimes(engine(), { ...check, cost: 0 }, 200);
    expect(await windows()).toEqual([]);
    await ask(engine(), check);
    const [window] = await windows();
    const before = Number(await server.command('PEXPIRETIME', String(window)));
    await askTimes(engine(), { ...check, cost: 0 }, 100);
    expect(await server.command('PEXPIRETIME', String(window))).toBe(before);
  });

  it('uses no status for longer than its lifetime, whatever end was stored', async () => {
    const stateKey = (await keys()).find((key) => key.includes(':key:'));
    const tomorrow = String(Date.now() + 24 * HOUR_MS);
    await server.command('HSET', String(stateKey), 'until', tomorrow);
    expect(await limiter.check(check)).toMatchObject({ kind: 'status-missing' });
    expect(await limiter.readKeyStatus(check)).toMatchObject({ kind: 'status-missing' });
  });

  it('requests status and month again after the server has lost its data', async () => {
    const quota = { minute: 1_000, month: 5 };
    const month = utcMonth(Date.now());
    await limiter.fillMonth({ ...check, month, used: 0 });
    await askTimes(engine(), { ...check, quota }, 3);
    await server.command('FLUSHALL');
    expect(await limiter.check({ ...check, quota })).toMatchObject({ kind: 'status-missing' });
    await activate(engine(), check);
    expect(await limiter.check({ ...check, quota })).toEqual({ kind: 'month-missing', month });
    await limiter.fillMonth({ ...check, month, used: 3 });
    await askTimes(engine(), { ...check, quota }, 2);
    expect(await limiter.check({ ...check, quota })).toMatchObject({
      kind: 'quota-exceeded',
      scope: 'month',
    });
  });

  it('counts under another incarnation after a loss of data', async () => {
    await askTimes(engine(), check, 3);
    const before = await pendingOf(engine(), check);
    await server.command('FLUSHALL');
    await activate(engine(), check);
    await askTimes(engine(), check, 2);
    const after = await pendingOf(engine(), check);
    expect(before.map(({ allowed }) => allowed)).toEqual([3]);
    expect(after.map(({ allowed }) => allowed)).toEqual([2]);
    expect(after[0]?.incarnation).not.toBe(before[0]?.incarnation);
  });

  it('offers the counts of a gateway that has died', async () => {
    await askTimes(engine(), check, 4);
    await limiter.close();
    limiter = await RedisLimiter.open(used);
    expect(await pendingOf(engine(), check)).toMatchObject([{ allowed: 4 }]);
  });

  it('offers an account to one gateway at a time', async () => {
    const other = await RedisLimiter.open(used);
    await ask(engine(), check);
    const offered = await Promise.all([limiter.pendingUsage(100), other.pendingUsage(100)]);
    expect(offered.flat()).toHaveLength(1);
    await other.close();
  });

  it('rejects within its timeout while the server is down, and recovers by itself', async () => {
    await server.stop();
    await expect(limiter.check(check)).rejects.toBeInstanceOf(EngineUnavailableError);
    await server.start();
    await vi.waitFor(
      async () => expect(await limiter.check(check)).toMatchObject({ kind: 'status-missing' }),
      WAIT,
    );
    await activate(engine(), check);
    expect(await ask(engine(), check)).toMatchObject({ remaining: 999 });
  });

  it('counts no call twice if the server dies under load', async () => {
    const asked = Promise.allSettled(Array.from({ length: 500 }, () => limiter.check(check)));
    await server.stop();
    const settled = await asked;
    const answers = settled.flatMap((each) =>
      each.status === 'fulfilled' ? [expectAnswered(each.value)] : [],
    );
    expect(new Set(answers.map(({ remaining }) => remaining)).size).toBe(answers.length);
    await server.start();
    await vi.waitFor(() => limiter.readKeyStatus(check), WAIT);
  });

  it('replaces a connection whose server has become a replica', async () => {
    await server.command('REPLICAOF', '127.0.0.1', '1');
    const received = async () =>
      /total_connections_received:(\d+)/.exec(String(await server.command('INFO', 'stats')))?.[1];
    const before = Number(await received());
    await expect(limiter.check(check)).rejects.toBeInstanceOf(EngineUnavailableError);
    // Each poll is a connection, too: one more than those is the new one.
    await vi.waitFor(async () => expect(Number(await received()) - before).toBeGreaterThanOrEqual(2), WAIT);
    await server.command('REPLICAOF', 'NO', 'ONE');
    // The server is primary again, under another name, and needs the status of the key.
    await vi.waitFor(() => activate(engine(), check), WAIT);
    expect(await ask(engine(), check)).toMatchObject({ allowed: true });
  });

  it('refuses what an account sends beyond its share, and answers a neighbour and later checks', async () => {
    const neighbour = await activate(engine(), checkWith());
    const entries = Array.from({ length: 10 }, (_, entry) => ({ ...check, identifier: `user-${entry}` }));
    const many = Array.from({ length: ENTRIES_UNDER_WAY_MAX }, () => limiter.checkAll(check, entries));
    expect(await ask(engine(), neighbour)).toMatchObject({ allowed: true });
    const kinds = (await Promise.all(many)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'answered')).toHaveLength(ENTRIES_UNDER_WAY_MAX / 20);
    expect(new Set(kinds)).toEqual(new Set(['answered', 'share-full']));
    expect(await ask(engine(), check)).toMatchObject({ allowed: true });
  });

  it('asks the server no more for a key beyond its quota, and counts each refused call', async () => {
    await beginMinute();
    const strict = await activate(engine(), checkWith({ quota: { minute: 1, month: null } }));
    await ask(engine(), strict);
    expect(await limiter.check(strict)).toMatchObject({ kind: 'quota-exceeded' });
    await server.command('CONFIG', 'RESETSTAT');
    const first = await limiter.check(strict);
    for (let call = 0; call < 98; call += 1) await limiter.check(strict);
    if (first.kind !== 'quota-exceeded') throw new Error('expecting a refusal');
    expect(first.retryAfterMs).toBe(first.quotas.minute.resetAt - first.now);
    expect(String(await server.command('INFO', 'commandstats'))).not.toContain('cmdstat_evalsha');
    await vi.waitFor(async () => {
      expect(await pendingOf(engine(), strict)).toMatchObject([{ allowed: 1, refused: 100 }]);
    }, WAIT);
  });

  it('notices within seconds that a key beyond its quota was revoked', async () => {
    await beginMinute();
    const strict = await activate(engine(), checkWith({ quota: { minute: 1, month: null } }));
    await ask(engine(), strict);
    await limiter.check(strict);
    await limiter.putKeyStatus({ ...strict, status: 'revoked', version: 2 });
    await vi.waitFor(async () => expect(await limiter.check(strict)).toEqual({ kind: 'revoked' }), WAIT);
  });

  it('lets the server decide a call with an Idempotency-Key beyond the quota: it may be a repeat', async () => {
    await beginMinute();
    const strict = await activate(engine(), checkWith({ quota: { minute: 1, month: null } }));
    const keyed = { ...strict, idempotency: { digest: 'a', inputDigest: 'b' } };
    const answered = await ask(engine(), keyed);
    for (let call = 0; call < 2; call += 1) {
      expect(await limiter.check(strict)).toMatchObject({ kind: 'quota-exceeded' });
    }
    expect(await ask(engine(), keyed)).toMatchObject({ resetAt: answered.resetAt, allowed: true });
  });

  it('accepts an answer that arrived while the process was busy, and keeps the connection', async () => {
    const asked = limiter.check(check);
    // Waits until the command is sent: one turn collects the checks, the next one writes them.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const until = performance.now() + 2 * COMMAND_TIMEOUT_MS;
    while (performance.now() < until);
    expect(await asked).toMatchObject({ kind: 'answered', remaining: 999 });
    expect(await limiter.check(check)).toMatchObject({ remaining: 998 });
  });

  it('rejects within its timeout on a silent server, and sends no check twice', async () => {
    const proxy = await TcpProxy.open(`127.0.0.1:${server.port}`);
    const distant = await RedisLimiter.open({ ...used, url: `redis://${proxy.address}` });
    proxy.condition = 'answers lost';
    const begun = performance.now();
    await expect(distant.check(check)).rejects.toBeInstanceOf(EngineUnavailableError);
    // Ten times the timeout: tolerates a busy machine, and finds an endless wait.
    expect(performance.now() - begun).toBeLessThan(COMMAND_TIMEOUT_MS * 10);
    proxy.condition = 'sound';
    const next = await vi.waitUntil(() => distant.check(check).catch(() => null), WAIT);
    // The check without an answer was counted, and only once.
    expect(next).toMatchObject({ remaining: 998 });
    await distant.close();
    await proxy.refuse();
  });
});
