import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedEngineFixture } from '../../infra/engines/embedded/embedded-engine.fixture.ts';
import { foldSubscription } from '../../processors/runtime/command-handler.ts';
import { createUsageFold } from '../../processors/usage/fold.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { HOUR_MS, SECOND_MS, utcMonth } from '../../schemas/base/time.ts';
import type { KeyMode } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { USAGE_INTERVAL_MS, type UsageCount } from '../../topics/ports/limiter.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import { createLogger } from '../http/server/logging.ts';
import { readMonthUse } from '../keys/key-usage.ts';
import { publishPending, startUsagePublisher, type UsagePublisherOptions } from './usage-publisher.ts';

const WAIT = { timeout: 45_000, interval: 5 };
const account = idFrom('organization', randomBytes(ID_BYTES));
const entropy = { bytes: (count: number) => randomBytes(count) };

let engine: EmbeddedEngineFixture;
let consumer: Consumer;
let lines: string[];

beforeEach(async () => {
  lines = [];
  engine = await EmbeddedEngineFixture.open();
  const logger = { info() {}, warn() {}, error() {} };
  consumer = await engine.log.consume(
    foldSubscription(createUsageFold(DEFAULT_LIMITS), {
      ...engine.engine,
      clock: engine.clock,
      entropy,
      logger,
    }),
  );
});

afterEach(async () => {
  await consumer.stop();
  await engine.close();
});

function options(over: Partial<UsagePublisherOptions> = {}): UsagePublisherOptions {
  const { limiter, log, clock } = engine;
  const logger = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  return { limiter, log, clock, entropy, logger, ...over };
}

function newKey(): string {
  return idFrom('key', randomBytes(ID_BYTES));
}

/** Calls with a key: as many as the limit lets through, and then denied ones. */
async function call(keyId: string, calls: number, mode: KeyMode = 'live'): Promise<void> {
  const { limiter } = engine;
  const key = { account, keyId };
  await limiter.putKeyStatus({ ...key, status: 'active', version: 1 });
  for (let made = 0; made < calls; made += 1) {
    const { kind } = await limiter.check({
      ...key,
      mode,
      namespace: 'test',
      identifier: keyId,
      limit: 2,
      windowMs: HOUR_MS,
      cost: 1,
      quota: { minute: 1_000, month: null },
      windowsMax: 100,
      idempotency: null,
    });
    expect(kind).toBe('answered');
  }
}

function used(keyId: string): Promise<number> {
  return readMonthUse(engine.store, keyId, utcMonth(engine.clock.now()));
}

describe('publishing usage', () => {
  it('carries every call into the month of its key, allowed or denied', async () => {
    const keys = [newKey(), newKey()];
    for (const [index, key] of keys.entries()) await call(key, 3 + index);
    await publishPending(options());
    await expect.poll(() => Promise.all(keys.map(used)), WAIT).toEqual([3, 4]);
  });

  it('adds what was counted since', async () => {
    const key = newKey();
    await call(key, 3);
    await publishPending(options());
    await call(key, 4);
    engine.clock.advance(USAGE_INTERVAL_MS);
    await publishPending(options());
    await expect.poll(() => used(key), WAIT).toBe(7);
  });

  it('counts once what several gateways publish, and what is published again after a crash', async () => {
    const key = newKey();
    await call(key, 5);
    const counts = await engine.limiter.pendingUsage(1);
    const offeringAgain = { pendingUsage: async () => counts, usagePublished: crash };
    for (let times = 0; times < 3; times += 1) {
      await expect(publishPending(options({ limiter: offeringAgain }))).rejects.toThrow('crashing');
    }
    engine.clock.advance(USAGE_INTERVAL_MS);
    await call(key, 1);
    await publishPending(options());
    await expect.poll(() => used(key), WAIT).toBe(6);
  });

  it('loses nothing while the log is down, and says so', async () => {
    const key = newKey();
    await call(key, 5);
    const down = { append: () => Promise.reject(new EngineUnavailableError('log')) };
    await startUsagePublisher(options({ log: down }))();
    expect(lines.join('')).toContain('UsageNotPublished');
    expect(lines.join('')).not.toContain(key);
    engine.clock.advance(USAGE_INTERVAL_MS);
    await publishPending(options());
    await expect.poll(() => used(key), WAIT).toBe(5);
  });

  it('repeats by itself, and publishes pending counts when it ends', async () => {
    const [first, second] = [newKey(), newKey()];
    await call(first, 1);
    const stop = startUsagePublisher(options({ intervalMs: 5 }));
    await expect.poll(() => used(first), WAIT).toBe(1);
    await stop();
    await call(second, 2);
    const stopAgain = startUsagePublisher(options({ intervalMs: HOUR_MS }));
    await stopAgain();
    await expect.poll(() => used(second), WAIT).toBe(2);
  });

  describe('by its own clock', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it('takes counts within a second after they are offered again', async () => {
      let published = Promise.withResolvers<void>();
      const usagePublished = async (counts: readonly UsageCount[]) => {
        await engine.limiter.usagePublished(counts);
        published.resolve();
      };
      const pendingUsage = (limit: number) => engine.limiter.pendingUsage(limit);
      const stop = startUsagePublisher(options({ limiter: { pendingUsage, usagePublished } }));
      const key = newKey();
      for (let round = 0; round < 2; round += 1) {
        await call(key, 1);
        vi.advanceTimersByTime(SECOND_MS);
        await published.promise;
        published = Promise.withResolvers();
        engine.clock.advance(USAGE_INTERVAL_MS);
      }
      await stop();
    });

    it('says so if a round takes longer than counts may wait', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const append = vi.fn(async (records: Parameters<typeof engine.log.append>[0]) => {
        await promise;
        return await engine.log.append(records);
      });
      const key = newKey();
      await call(key, 1);
      const stop = startUsagePublisher(options({ log: { append } }));
      vi.advanceTimersByTime(SECOND_MS);
      await expect.poll(() => append.mock.calls.length, WAIT).toBe(1);
      vi.advanceTimersByTime(2 * USAGE_INTERVAL_MS);
      resolve();
      await expect.poll(() => lines.join(''), WAIT).toContain('UsagePublishedLate');
      expect(append).toHaveBeenCalledTimes(1);
      await stop();
    });
  });

  it('survives a restart of the process in the middle', async () => {
    const key = newKey();
    await call(key, 5);
    await engine.limiter.pendingUsage(1);
    await consumer.stop();
    await engine.reopen();
    await call(key, 2);
    await publishPending(options());
    const logger = { info() {}, warn() {}, error() {} };
    consumer = await engine.log.consume(
      foldSubscription(createUsageFold(DEFAULT_LIMITS), {
        ...engine.engine,
        clock: engine.clock,
        entropy,
        logger,
      }),
    );
    await expect.poll(() => used(key), WAIT).toBe(7);
  });
});

function crash(): Promise<never> {
  return Promise.reject(new Error('crashing'));
}
