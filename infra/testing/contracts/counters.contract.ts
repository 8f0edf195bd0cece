import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Counters } from '../../../topics/ports/counters.ts';
import { type EngineFixture, SUITE, unique, WAIT } from './engine.fixture.ts';

export interface CountersFixture extends EngineFixture {
  readonly counters: Counters;
}

/** Describes the tests that all counters pass, in short and in long windows. */
export function describeCountersContract(name: string, open: () => Promise<CountersFixture>): void {
  describe(`${name}: counters`, SUITE, () => {
    let engine: CountersFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    describe.each([
      ['a minute', MINUTE_MS],
      ['a day', DAY_MS],
    ])('in a window of %s', (_, windowMs) => {
      it('counts down to zero and then denies', async () => {
        const key = unique('counter');
        const seen = [];
        for (let call = 0; call < 5; call += 1) seen.push(await engine.counters.take(key, 3, windowMs));
        expect(seen.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
        expect(seen.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
      });

      it('is exact under 200 parallel takes', async () => {
        const key = unique('counter');
        const taken = await Promise.all(
          Array.from({ length: 200 }, () => engine.counters.take(key, 70, windowMs)),
        );
        const allowed = taken.filter((take) => take.allowed);
        expect(allowed).toHaveLength(70);
        const remaining = allowed.map((take) => take.remaining).sort((left, right) => left - right);
        expect(remaining).toEqual(Array.from({ length: 70 }, (_, index) => index));
      });

      it('keeps the end of the window that the first take fixed, also when it denies', async () => {
        const key = unique('counter');
        const first = await engine.counters.take(key, 2, windowMs);
        engine.clock?.advance(10);
        const later = [
          await engine.counters.take(key, 2, windowMs),
          await engine.counters.take(key, 2, windowMs),
        ];
        expect(later.map(({ resetAt }) => resetAt)).toEqual([first.resetAt, first.resetAt]);
        if (engine.clock !== undefined) expect(first.resetAt).toBe(engine.clock.now() - 10 + windowMs);
      });

      it('keeps keys apart', async () => {
        const [left, right] = [unique('counter'), unique('counter')];
        await engine.counters.take(left, 1, windowMs);
        expect((await engine.counters.take(left, 1, windowMs)).allowed).toBe(false);
        expect((await engine.counters.take(right, 1, windowMs)).allowed).toBe(true);
      });

      it('goes by the limit of each call', async () => {
        const key = unique('counter');
        for (let call = 0; call < 3; call += 1) await engine.counters.take(key, 3, windowMs);
        expect(await engine.counters.take(key, 2, windowMs)).toMatchObject({ allowed: false, remaining: 0 });
        expect(await engine.counters.take(key, 5, windowMs)).toMatchObject({ allowed: true, remaining: 1 });
      });

      it('gives back what a take has counted, and nothing else', async () => {
        const key = unique('counter');
        const { resetAt } = await engine.counters.take(key, 2, windowMs);
        await engine.counters.take(key, 2, windowMs);
        await engine.counters.giveBack(key, windowMs, resetAt);
        expect(await engine.counters.take(key, 2, windowMs)).toEqual({
          allowed: true,
          remaining: 0,
          resetAt,
        });
        expect((await engine.counters.take(key, 2, windowMs)).allowed).toBe(false);
        await engine.counters.giveBack(key, windowMs, resetAt - 1);
        expect((await engine.counters.take(key, 2, windowMs)).allowed).toBe(false);
        for (let call = 0; call < 4; call += 1) await engine.counters.giveBack(key, windowMs, resetAt);
        expect(await engine.counters.take(key, 2, windowMs)).toEqual({
          allowed: true,
          remaining: 1,
          resetAt,
        });
      });

      it('gives nothing back to a key without a window', async () => {
        const key = unique('counter');
        await engine.counters.giveBack(key, windowMs, 1);
        expect((await engine.counters.take(key, 1, windowMs)).allowed).toBe(true);
        expect((await engine.counters.take(key, 1, windowMs)).allowed).toBe(false);
      });

      it('allows nothing under a limit of zero', async () => {
        expect(await engine.counters.take(unique('counter'), 0, windowMs)).toMatchObject({
          allowed: false,
          remaining: 0,
        });
      });
    });

    it('starts a window with the first call that is allowed', async () => {
      const key = unique('counter');
      const windowMs = MINUTE_MS;
      const denied = await engine.counters.take(key, 0, windowMs);
      engine.clock?.advance(10);
      const { resetAt } = await engine.counters.take(key, 2, windowMs);
      if (engine.clock !== undefined) expect(resetAt).toBe(engine.clock.now() + windowMs);
      expect(resetAt).toBeGreaterThanOrEqual(denied.resetAt);
      expect(await engine.counters.take(key, 2, windowMs)).toEqual({ allowed: true, remaining: 0, resetAt });
    });

    it('starts a new window with the first take after the end', async () => {
      const key = unique('counter');
      const windowMs = 500;
      const first = await engine.counters.take(key, 1, windowMs);
      expect((await engine.counters.take(key, 1, windowMs)).allowed).toBe(false);
      engine.clock?.advance(windowMs);
      const next = await vi.waitUntil(async () => {
        const take = await engine.counters.take(key, 1, windowMs);
        return take.allowed ? take : null;
      }, WAIT);
      expect(next.resetAt).toBeGreaterThanOrEqual(first.resetAt + windowMs);
    });

    it.for([15 * MINUTE_MS, DAY_MS])(
      'remembers a window of %i ms over a restart',
      async (windowMs, { skip }) => {
        if (engine.reopen === undefined) return skip();
        const key = unique('counter');
        const before = await engine.counters.take(key, 2, windowMs);
        await engine.reopen();
        expect(await engine.counters.take(key, 2, windowMs)).toEqual({
          allowed: true,
          remaining: 0,
          resetAt: before.resetAt,
        });
        expect((await engine.counters.take(key, 2, windowMs)).allowed).toBe(false);
      },
    );
  });
}
