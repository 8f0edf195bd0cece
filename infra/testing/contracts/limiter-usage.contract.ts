import { describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { type Check, USAGE_INTERVAL_MS, type UsageCount } from '../../../topics/ports/limiter.ts';
import { unique, WAIT } from './engine.fixture.ts';
import {
  activate,
  ask,
  askTimes,
  beginMinute,
  checkWith,
  KEYS_MAX,
  type Opened,
  pendingOf,
} from './limiter-probe.fixture.ts';

/** Describes the tests of remembered Idempotency-Keys. */
export function describeRepeats(opened: Opened): void {
  const keyed = (check: Check, key: string): Check => ({
    ...check,
    idempotency: {
      digest: sha256Hex(key),
      inputDigest: sha256Hex(JSON.stringify([check.limit, check.cost])),
    },
  });

  describe('an Idempotency-Key', () => {
    it('makes a repeat count once, in window, minute and usage', async () => {
      const check = await activate(opened(), checkWith({ limit: 3 }));
      const first = await ask(opened(), keyed(check, 'a'));
      const repeats = await askTimes(opened(), keyed(check, 'a'), 20);
      for (const repeat of repeats) {
        expect(repeat).toMatchObject({ allowed: true, remaining: 2, resetAt: first.resetAt });
      }
      expect(await ask(opened(), keyed(check, 'b'))).toMatchObject({ remaining: 1 });
      const usage = await pendingOf(opened(), check);
      expect(usage).toMatchObject([{ allowed: 2, denied: 0, refused: 0 }]);
    });

    it('counts once under parallel repeats', async () => {
      const check = await activate(opened(), checkWith({ limit: 30 }));
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => ask(opened(), keyed(check, `key ${index % 20}`))),
      );
      expect(new Set(answers.map(({ remaining }) => remaining)).size).toBe(20);
      expect(await ask(opened(), { ...check, cost: 0 })).toMatchObject({ remaining: 10 });
    });

    it('belongs to one key and one input', async () => {
      const check = await activate(opened(), checkWith({ limit: 3 }));
      await ask(opened(), keyed(check, 'a'));
      expect(await opened().limiter.check(keyed({ ...check, cost: 2 }, 'a'))).toEqual({
        kind: 'idempotency-conflict',
      });
      const second = await activate(opened(), { ...check, keyId: unique('key') });
      expect(await ask(opened(), keyed(second, 'a'))).toMatchObject({ remaining: 1 });
    });

    it('keeps a denial when its window has ended, and counts the repeat nowhere', async () => {
      const check = await activate(opened(), checkWith({ limit: 1, windowMs: 300 }));
      await ask(opened(), check);
      const denied = await ask(opened(), keyed(check, 'a'));
      expect(denied.allowed).toBe(false);
      opened().clock?.advance(denied.retryAfterMs);
      // Once another call is allowed, the window of the denial is over.
      let calls = 2;
      await vi.waitUntil(async () => {
        calls += 1;
        return (await ask(opened(), check)).allowed;
      }, WAIT);
      const { remaining, resetAt } = denied;
      expect(await ask(opened(), keyed(check, 'a'))).toMatchObject({
        allowed: false,
        remaining,
        resetAt,
        retryAfterMs: 0,
      });
      expect(sumOf(await pendingOf(opened(), check))).toBe(calls);
    });

    it('is forgotten after a minute', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      const check = await activate(opened(), checkWith({ windowMs: HOUR_MS }));
      await ask(opened(), keyed(check, 'a'));
      clock.advance(MINUTE_MS);
      await activate(opened(), check);
      expect(await ask(opened(), keyed(check, 'a'))).toMatchObject({ remaining: 3 });
    });

    it('is not remembered of a look', async () => {
      const check = await activate(opened(), checkWith({ cost: 0 }));
      expect(await ask(opened(), keyed(check, 'a'))).toMatchObject({ remaining: 5 });
      await ask(opened(), { ...check, cost: 1 });
      expect(await ask(opened(), keyed(check, 'a'))).toMatchObject({ remaining: 4 });
    });
  });
}

/** Describes the tests of counts that have to be published. */
export function describeUsage(opened: Opened): void {
  describe('usage', () => {
    it('counts every call once: let through, denied and refused, and no look', async () => {
      const quota = { minute: 6, month: null };
      const check = await activate(opened(), checkWith({ limit: 3, mode: 'test', quota }));
      await askTimes(opened(), check, 5);
      await ask(opened(), { ...check, cost: 0 });
      await opened().limiter.check(check);
      // Beyond the quota of the minute a peek is refused and not counted.
      await opened().limiter.check({ ...check, cost: 0 });
      const counts = await pendingOf(opened(), check);
      const total = (what: 'allowed' | 'denied' | 'refused') =>
        counts.reduce((sum, count) => sum + count[what], 0);
      // If the minute ends meanwhile, its quota begins again, and the last call is denied instead of refused.
      expect(total('allowed')).toBe(3);
      expect(total('denied') + total('refused')).toBe(3);
      for (const count of counts) {
        expect(count).toMatchObject({ account: check.account, mode: 'test' });
        expect(count.minute % MINUTE_MS).toBe(0);
      }
    });

    it('is offered until it is published, and what came meanwhile is offered again, in absolute numbers', async () => {
      const check = await activate(opened(), checkWith({ limit: 100 }));
      await askTimes(opened(), check, 2);
      const first = await pendingOf(opened(), check);
      expect(sumOf(first)).toBe(2);
      await ask(opened(), check);
      await opened().limiter.usagePublished(first);
      const second = await pendingOf(opened(), check);
      expect(sumOf(second)).toBe(3);
      await opened().limiter.usagePublished(second);
      const other = await activate(opened(), checkWith());
      await ask(opened(), other);
      // Whatever is offered by the time another key's counts are, those of this one are not.
      const seen: UsageCount[] = [];
      await vi.waitUntil(async () => {
        const counts = await opened().limiter.pendingUsage(KEYS_MAX);
        opened().clock?.advance(USAGE_INTERVAL_MS);
        seen.push(...counts);
        return counts.some(({ keyId }) => keyId === other.keyId);
      }, WAIT);
      expect(seen.filter(({ keyId }) => keyId === check.keyId)).toEqual([]);
    });

    it('is offered again after a while if it was not published', async () => {
      const check = await activate(opened(), checkWith());
      await ask(opened(), check);
      const first = await pendingOf(opened(), check);
      const again = await pendingOf(opened(), check);
      expect(again).toEqual(first);
    });

    it('goes by keys, as many as are asked for', async () => {
      const account = unique('org');
      const checks = [checkWith({ account }), checkWith({ account }), checkWith({ account })];
      for (const check of checks) {
        await activate(opened(), check);
        await ask(opened(), check);
      }
      const seen = new Set<string>();
      await vi.waitUntil(async () => {
        const counts = await opened().limiter.pendingUsage(2);
        expect(new Set(counts.map(({ keyId }) => keyId)).size).toBeLessThanOrEqual(2);
        await opened().limiter.usagePublished(counts);
        opened().clock?.advance(USAGE_INTERVAL_MS);
        for (const { keyId } of counts) seen.add(keyId);
        return checks.every(({ keyId }) => seen.has(keyId));
      }, WAIT);
    });

    it('is offered also if many keys before it have none', async () => {
      for (let accounts = 0; accounts < 250; accounts += 1) await activate(opened(), checkWith());
      const check = await activate(opened(), checkWith());
      await ask(opened(), check);
      const seen: UsageCount[] = [];
      let counts: UsageCount[];
      do {
        counts = await opened().limiter.pendingUsage(KEYS_MAX);
        seen.push(...counts);
      } while (counts.length > 0);
      expect(seen.filter(({ keyId }) => keyId === check.keyId)).toHaveLength(1);
    });

    it('of several minutes is kept apart, and dropped once it is published', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      beginMinute(opened());
      const check = await activate(opened(), checkWith({ limit: 100 }));
      await ask(opened(), check);
      clock.advance(5 * MINUTE_MS);
      await activate(opened(), check);
      await askTimes(opened(), check, 2);
      const counts = await pendingOf(opened(), check);
      expect(counts.map(({ allowed }) => allowed)).toEqual([1, 2]);
      expect((counts[1]?.minute ?? 0) - (counts[0]?.minute ?? 0)).toBe(5 * MINUTE_MS);
      await opened().limiter.usagePublished(counts);
      await ask(opened(), check);
      expect((await pendingOf(opened(), check)).map(({ allowed }) => allowed)).toEqual([3]);
    });

    it('survives a restart', async ({ skip }) => {
      const engine = opened();
      if (engine.reopen === undefined) return skip();
      const check = await activate(engine, checkWith({ limit: 2 }));
      await askTimes(engine, check, 3);
      await engine.reopen();
      expect(await pendingOf(engine, check)).toMatchObject([{ allowed: 2, denied: 1, refused: 0 }]);
    });
  });
}

function sumOf(counts: readonly UsageCount[]): number {
  return counts.reduce((sum, { allowed, denied }) => sum + allowed + denied, 0);
}
