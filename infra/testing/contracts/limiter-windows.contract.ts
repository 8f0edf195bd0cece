import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { timeOf, unique, WAIT } from './engine.fixture.ts';
import {
  activate,
  ask,
  askTimes,
  beginMinute,
  checkWith,
  LimiterModel,
  type Opened,
  pendingOf,
} from './limiter-probe.fixture.ts';

const RUNS = 60;

/** Describes the tests of the windows of identifiers. */
export function describeWindows(opened: Opened): void {
  describe('windows', () => {
    it('admit exactly the limit under parallel calls, and count down without a gap', async () => {
      const check = await activate(opened(), checkWith({ limit: 70 }));
      const answers = await askTimes(opened(), check, 200);
      const allowed = answers.filter((answer) => answer.allowed);
      expect(allowed.map(({ remaining }) => remaining).sort((left, right) => left - right)).toEqual(
        Array.from({ length: 70 }, (_, index) => index),
      );
    });

    it('have one end, which every caller is told', async () => {
      const before = timeOf(opened());
      const check = await activate(opened(), checkWith({ limit: 3 }));
      const answers = await askTimes(opened(), check, 20);
      expect(new Set(answers.map(({ resetAt }) => resetAt)).size).toBe(1);
      const [first] = answers;
      expect(first?.resetAt).toBeGreaterThanOrEqual(before + check.windowMs);
      expect(first?.resetAt).toBeLessThanOrEqual(timeOf(opened()) + check.windowMs);
    });

    it('stay as they were after a denial, so that a smaller cost still fits', async () => {
      const check = await activate(opened(), checkWith({ limit: 10 }));
      expect(await ask(opened(), { ...check, cost: 8 })).toMatchObject({ allowed: true, remaining: 2 });
      expect(await ask(opened(), { ...check, cost: 3 })).toMatchObject({ allowed: false, remaining: 2 });
      expect(await ask(opened(), { ...check, cost: 2 })).toMatchObject({ allowed: true, remaining: 0 });
    });

    it('deny a cost beyond the limit and take nothing', async () => {
      const check = await activate(opened(), checkWith({ limit: 5 }));
      expect(await ask(opened(), { ...check, cost: 6 })).toMatchObject({ allowed: false, remaining: 5 });
      expect(await ask(opened(), { ...check, cost: 5 })).toMatchObject({ allowed: true, remaining: 0 });
    });

    it.each([
      ['6,000 a second', 6_000, 1_000],
      ['1,000 a minute', 1_000, MINUTE_MS],
      ['one a minute', 1, MINUTE_MS],
    ])('%s are limited', async (_, limit, windowMs) => {
      const check = await activate(opened(), checkWith({ limit, windowMs, cost: limit }));
      // A window of a second may end between two calls: what matters is that calls within one are limited.
      const ends = await askTimes(opened(), check, 3);
      const admitted = Map.groupBy(
        ends.filter(({ allowed }) => allowed),
        ({ resetAt }) => resetAt,
      );
      expect([...admitted.values()].every((ofWindow) => ofWindow.length === 1)).toBe(true);
      expect(ends.some(({ allowed }) => !allowed)).toBe(true);
    });

    it.each([
      ['half a second', 500],
      ['30 days', 30 * DAY_MS],
      ['31 days', 31 * DAY_MS],
    ])('%s long end when they say', async (_, windowMs) => {
      const check = await activate(opened(), checkWith({ windowMs }));
      const begun = timeOf(opened());
      const { resetAt } = await ask(opened(), check);
      expect(resetAt - windowMs).toBeGreaterThanOrEqual(begun);
      expect(resetAt - windowMs).toBeLessThanOrEqual(timeOf(opened()));
    });

    it('let pass who waits as long as they are told, and not who comes sooner', async () => {
      const check = await activate(opened(), checkWith({ limit: 1, windowMs: 300 }));
      await ask(opened(), check);
      const denied = await ask(opened(), check);
      expect(denied.retryAfterMs).toBe(denied.resetAt - denied.now);
      const { clock } = opened();
      clock?.advance(denied.retryAfterMs - 1);
      if (clock !== undefined)
        expect(await ask(opened(), check)).toMatchObject({ allowed: false, retryAfterMs: 1 });
      clock?.advance(1);
      const next = await vi.waitUntil(async () => {
        const answer = await ask(opened(), check);
        // No call is allowed before the end of the window that the denial named.
        expect(answer.allowed).toBe(answer.now >= denied.resetAt);
        return answer.allowed ? answer : null;
      }, WAIT);
      expect(next.resetAt).toBe(next.now + 300);
    });

    it('admit nothing more when the clock is set back, and end in the future', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      const check = await activate(opened(), checkWith({ limit: 2 }));
      const { resetAt } = await ask(opened(), check);
      clock.advance(-10_000);
      await activate(opened(), check);
      expect(await ask(opened(), check)).toMatchObject({ allowed: true, remaining: 0, resetAt });
      const denied = await ask(opened(), check);
      expect(denied).toMatchObject({ allowed: false, resetAt });
      expect(denied.retryAfterMs).toBe(resetAt - denied.now);
      clock.advance(10_000);
    });

    it('with the longest names count, are read, named where they are denied, and reset like others', async () => {
      const names = { namespace: '🙂'.repeat(128), identifier: '🙂'.repeat(256) };
      const check = await activate(opened(), checkWith({ limit: 2, ...names }));
      const other = { ...check, identifier: `${names.identifier.slice(2)}ä` };
      const { limiter } = opened();
      expect(await ask(opened(), check)).toMatchObject({ remaining: 1 });
      expect(await ask(opened(), other)).toMatchObject({ remaining: 1 });
      await limiter.checkAll(check, [check, { ...check, identifier: 'short' }, other]);
      expect(await ask(opened(), check)).toMatchObject({ allowed: false });
      expect(await limiter.readWindow(check)).toMatchObject({ used: 2 });
      const { windows } = await limiter.deniedWindows(check);
      expect(windows).toEqual([{ ...names, windowMs: check.windowMs, denied: 1 }]);
      expect(await limiter.endWindow(check)).toBe(true);
      expect(await limiter.readWindow(check)).toBeNull();
      expect(await limiter.readWindow(other)).toMatchObject({ used: 2 });
      expect(await ask(opened(), check)).toMatchObject({ remaining: 1 });
    });

    it('are kept apart by account, mode, namespace, identifier and length', async () => {
      const check = await activate(opened(), checkWith({ limit: 1 }));
      const others: Partial<Check>[] = [
        { namespace: 'a:b', identifier: 'c' },
        { namespace: 'a', identifier: 'b:c' },
        { namespace: 'a:', identifier: 'b:c' },
        { namespace: '1:a', identifier: ':b:c' },
        { windowMs: 60_001 },
        { mode: 'test' },
      ];
      const another = await activate(opened(), checkWith({ limit: 1 }));
      for (const distinct of [check, another, ...others.map((other) => ({ ...check, ...other }))]) {
        expect(await ask(opened(), distinct)).toMatchObject({ allowed: true });
        expect(await ask(opened(), distinct)).toMatchObject({ allowed: false });
      }
    });

    it('belong to the account: a second key of it draws on the same ones', async () => {
      const check = await activate(opened(), checkWith({ limit: 1 }));
      const second = await activate(opened(), { ...check, keyId: unique('key') });
      expect(await ask(opened(), check)).toMatchObject({ allowed: true });
      expect(await ask(opened(), second)).toMatchObject({ allowed: false });
    });

    it('take every identifier for itself', async () => {
      const check = await activate(opened(), checkWith({ limit: 1 }));
      const identifiers = [
        '*',
        '?',
        '[a-z]',
        'line\nbreak',
        'nul\0',
        '😀'.repeat(256),
        'é',
        'e\u0301',
        '{x}',
        ' ',
      ];
      for (const identifier of identifiers) {
        expect(await ask(opened(), { ...check, identifier })).toMatchObject({ allowed: true });
        expect(await ask(opened(), { ...check, identifier, cost: 0 })).toMatchObject({ allowed: false });
      }
    });

    it('keep their count under a new limit, and never have less than nothing left', async () => {
      const check = await activate(opened(), checkWith({ limit: 5, cost: 3 }));
      const { resetAt } = await ask(opened(), check);
      expect(await ask(opened(), { ...check, limit: 2, cost: 1 })).toMatchObject({
        allowed: false,
        remaining: 0,
      });
      expect(await ask(opened(), { ...check, limit: 4, cost: 1 })).toMatchObject({
        allowed: true,
        remaining: 0,
        resetAt,
      });
      expect(await ask(opened(), { ...check, limit: 9, cost: 1 })).toMatchObject({
        allowed: true,
        remaining: 4,
        resetAt,
      });
    });

    it('are not begun and not prolonged by looking', async () => {
      const check = await activate(opened(), checkWith({ limit: 2 }));
      expect(await ask(opened(), { ...check, cost: 0 })).toMatchObject({ allowed: true, remaining: 2 });
      const { resetAt } = await ask(opened(), check);
      expect(await ask(opened(), { ...check, cost: 0 })).toMatchObject({
        allowed: true,
        remaining: 1,
        resetAt,
      });
      await ask(opened(), check);
      expect(await ask(opened(), { ...check, cost: 0 })).toMatchObject({
        allowed: false,
        remaining: 0,
        resetAt,
      });
    });

    it('take the largest limit and cost there are, exactly', async () => {
      const most = 1_000_000_000;
      const check = await activate(opened(), checkWith({ limit: most, cost: most - 1 }));
      expect(await ask(opened(), check)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await ask(opened(), check)).toMatchObject({ allowed: false, remaining: 1 });
      expect(await ask(opened(), { ...check, cost: 1 })).toMatchObject({ allowed: true, remaining: 0 });
    });

    it('stop beginning at the limit of their account, while existing ones continue', async () => {
      const check = await activate(opened(), checkWith({ limit: 3, windowsMax: 2, windowMs: 5 * MINUTE_MS }));
      for (const identifier of ['a', 'b']) await ask(opened(), { ...check, identifier });
      const refused = await opened().limiter.check({ ...check, identifier: 'c' });
      if (refused.kind !== 'windows-exhausted') throw new Error('expecting a refusal');
      expect(refused.retryAfterMs).toBeGreaterThan(0);
      expect(refused.retryAfterMs).toBeLessThanOrEqual(6 * MINUTE_MS);
      // It reached no counter.
      expect(refused.quotas.minute.remaining).toBe(check.quota.minute - 2);
      const [usage] = await pendingOf(opened(), check);
      expect(usage).toMatchObject({ allowed: 2, denied: 0, refused: 1 });
      expect(await ask(opened(), { ...check, identifier: 'a' })).toMatchObject({ remaining: 1 });
      // What begins no window needs no room.
      expect(await ask(opened(), { ...check, identifier: 'c', cost: 0 })).toMatchObject({ remaining: 3 });
      expect(await ask(opened(), { ...check, identifier: 'c', cost: 4 })).toMatchObject({ allowed: false });
      const other = await activate(opened(), { ...check, account: unique('org') });
      expect(await ask(opened(), other)).toMatchObject({ allowed: true });
    });

    it('begin again for an account once others have ended', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      beginMinute(opened());
      const check = await activate(opened(), checkWith({ windowsMax: 3 }));
      const begin = async (identifier: string, windowMs: number) => {
        await activate(opened(), check);
        return await opened().limiter.check({ ...check, identifier, windowMs });
      };
      await begin('a', 1);
      await begin('b', 2 * MINUTE_MS);
      await begin('c', 3 * HOUR_MS);
      const refused = await begin('d', 1);
      if (refused.kind !== 'windows-exhausted') throw new Error('expecting a refusal');
      clock.advance(refused.retryAfterMs - 1);
      expect(await begin('d', 1)).toMatchObject({ kind: 'windows-exhausted', retryAfterMs: 1 });
      clock.advance(1);
      expect(await begin('d', HOUR_MS)).toMatchObject({ kind: 'answered' });
      expect(await begin('e', 1)).toMatchObject({ kind: 'windows-exhausted' });
      clock.advance(MINUTE_MS);
      expect(await begin('e', DAY_MS)).toMatchObject({ kind: 'answered' });
      expect(await begin('f', 1)).toMatchObject({ kind: 'windows-exhausted' });
    });

    it('count for their account over a restart from an hour on', async ({ skip }) => {
      const engine = opened();
      if (engine.reopen === undefined) return skip();
      const check = await activate(engine, checkWith({ windowsMax: 1, windowMs: HOUR_MS }));
      await ask(engine, check);
      await engine.reopen();
      await activate(engine, check);
      expect(await engine.limiter.check({ ...check, identifier: 'another' })).toMatchObject({
        kind: 'windows-exhausted',
      });
      expect(await ask(engine, check)).toMatchObject({ allowed: true });
    });

    it.each([
      ['an hour', HOUR_MS],
      ['a minute', MINUTE_MS],
      ['a second', 1_000],
    ])('of %s survive an orderly restart', async (_, windowMs) => {
      const engine = opened();
      if (engine.reopen === undefined) return;
      const check = await activate(engine, checkWith({ limit: 2, windowMs }));
      const { resetAt } = await ask(engine, check);
      await engine.reopen();
      await activate(engine, check);
      expect(await ask(engine, check)).toMatchObject({ allowed: true, remaining: 0, resetAt });
      expect(await ask(engine, check)).toMatchObject({ allowed: false, resetAt });
    });

    it('do what the model says, whatever is asked', async () => {
      const call = fc.record({
        namespace: fc.constantFrom('a', 'a:b', ''),
        identifier: fc.constantFrom('c', 'b:c'),
        mode: fc.constantFrom('test' as const, 'live' as const),
        windowMs: fc.constantFrom(HOUR_MS - 1, DAY_MS),
        limit: fc.integer({ min: 1, max: 12 }),
        cost: fc.integer({ min: 0, max: 5 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 60 }), async (calls) => {
          const check = await activate(opened(), checkWith());
          const model = new LimiterModel(check);
          for (const differing of calls) {
            const asked = { ...check, ...differing };
            expect(await ask(opened(), asked)).toMatchObject(model.takeOne(asked));
          }
        }),
        { numRuns: RUNS },
      );
    });
  });
}
