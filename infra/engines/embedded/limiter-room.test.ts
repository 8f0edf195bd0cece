import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { EngineFullError } from '../../../topics/ports/failures.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { activate, ask, checkWith, LimiterModel } from '../../testing/contracts/limiter-probe.fixture.ts';
import { EmbeddedLimiterFixture } from './embedded-limiter.fixture.ts';
import { nameInFull } from './limiter-names.ts';

const WINDOWS_IN_MEMORY = 20;
const REMEMBERED = 20;
const REMEMBERED_GUARANTEED = 3;
const WINDOW_MS = 5 * MINUTE_MS;
const MEASURED_WINDOWS = 20_000;

let held: EmbeddedLimiterFixture;

beforeEach(async () => {
  held = await EmbeddedLimiterFixture.open({
    shortWindowsMax: WINDOWS_IN_MEMORY,
    rememberedMax: REMEMBERED,
    rememberedGuaranteed: REMEMBERED_GUARANTEED,
  });
});

afterEach(() => held.close());

const tenant = (differing: Partial<Check> = {}) =>
  activate(held, checkWith({ windowMs: WINDOW_MS, limit: 3, ...differing }));

/** Starts more windows of several tenants than memory holds. */
async function fillMemory(): Promise<Check> {
  const greedy = await tenant();
  for (let count = 0; count < 2 * WINDOWS_IN_MEMORY; count += 1) {
    expect(await ask(held, { ...greedy, identifier: `user-${count}` })).toMatchObject({ remaining: 2 });
  }
  return greedy;
}

describe('windows of EmbeddedLimiter beyond its memory', () => {
  it('are counted exactly, for the tenant that filled the memory and for the others', async () => {
    const greedy = await fillMemory();
    const modest = await tenant();
    const model = new LimiterModel(modest);
    for (let round = 0; round < 4; round += 1) {
      for (const identifier of ['ada', 'grace']) {
        const check = { ...modest, identifier };
        expect(await ask(held, check)).toMatchObject(model.takeOne(check));
      }
    }
    for (let count = 0; count < 2 * WINDOWS_IN_MEMORY; count += 1) {
      expect(await ask(held, { ...greedy, identifier: `user-${count}` })).toMatchObject({ remaining: 1 });
    }
  });

  it('begin again after their end, in memory if there is room', async () => {
    await fillMemory();
    const modest = await tenant();
    for (let count = 0; count < 4; count += 1) await ask(held, modest);
    held.clock.advance(WINDOW_MS);
    await activate(held, modest);
    expect(await ask(held, modest)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it.each([{ orderly: true }, { orderly: false }])('continue after a stop: %o', async (how) => {
    await fillMemory();
    const modest = await tenant();
    await ask(held, modest);
    await held.restart(how);
    await activate(held, modest);
    expect(await ask(held, modest)).toMatchObject({ remaining: 1 });
  });

  it('survive a restart with more windows than memory holds', async () => {
    const greedy = await fillMemory();
    await held.restart({ orderly: true });
    await activate(held, greedy);
    for (let count = 0; count < 2 * WINDOWS_IN_MEMORY; count += 1) {
      expect(await ask(held, { ...greedy, identifier: `user-${count}` })).toMatchObject({ remaining: 1 });
    }
  });
});

describe('windows of EmbeddedLimiter with long names', () => {
  const names = (number: number) => ({
    namespace: '🙂'.repeat(128),
    identifier: `${'🙂'.repeat(250)}${number}`,
  });

  it('take at most 300 bytes each, and none after their end', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const used = () => {
      collect();
      return getHeapStatistics().used_heap_size;
    };
    const roomy = await EmbeddedLimiterFixture.open();
    const check = await activate(roomy, checkWith({ windowMs: 10 * MINUTE_MS }));
    await ask(roomy, check);
    const before = used();
    for (let first = 0; first < MEASURED_WINDOWS; first += 100) {
      const numbers = Array.from({ length: 100 }, (_, index) => first + index);
      await Promise.all(numbers.map((number) => ask(roomy, { ...check, ...names(number) })));
    }
    expect((used() - before) / MEASURED_WINDOWS).toBeLessThan(300);
    roomy.clock.advance(10 * MINUTE_MS);
    while ((await roomy.limiter.sweep(roomy.clock.now(), 500)) >= 500);
    expect((used() - before) / MEASURED_WINDOWS).toBeLessThan(20);
    await roomy.close();
  });

  it.each([5 * MINUTE_MS, HOUR_MS])(
    'continue where an earlier version has stopped: %d ms',
    async (windowMs) => {
      const check = await tenant({ windowMs, ...names(1) });
      const resetAt = held.clock.now() + windowMs;
      held.database
        .prepare('INSERT INTO limiter_window (key, used, reset_at) VALUES (?, ?, ?)')
        .run(nameInFull(check), 1, resetAt);
      for (let starts = 0; starts < 2; starts += 1) {
        await held.restart({ orderly: false });
        await activate(held, check);
        expect(await held.limiter.readWindow(check)).toEqual({ used: 1, resetAt });
      }
      expect(await ask(held, check)).toMatchObject({ remaining: 1, resetAt });
    },
  );
});

describe('Idempotency-Keys of EmbeddedLimiter', () => {
  const keyed = (check: Check, number: number): Check => ({
    ...check,
    limit: 100,
    idempotency: { digest: sha256Hex(`key ${number}`), inputDigest: sha256Hex('input') },
  });

  it('have a reserved share for every tenant', async () => {
    const greedy = await tenant();
    for (let count = 0; count < REMEMBERED; count += 1) await ask(held, keyed(greedy, count));
    await expect(held.limiter.check(keyed(greedy, REMEMBERED))).rejects.toThrow(EngineFullError);
    const modest = await tenant();
    for (let count = 0; count < REMEMBERED_GUARANTEED; count += 1) {
      const first = await ask(held, keyed(modest, count));
      expect(await ask(held, keyed(modest, count))).toEqual(first);
    }
    await expect(held.limiter.check(keyed(modest, REMEMBERED))).rejects.toThrow(EngineFullError);
    held.clock.advance(2 * MINUTE_MS);
    await activate(held, greedy);
    expect(await ask(held, keyed(greedy, REMEMBERED))).toMatchObject({ allowed: true });
  });
});
