import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, endOfUtcMonth, MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import { type Check, DENIED_KEPT_MS, DENIED_WINDOWS_MAX } from '../../../topics/ports/limiter.ts';
import { timeOf, WAIT } from './engine.fixture.ts';
import { activate, ask, askTimes, checkWith, type Opened, pendingOf } from './limiter-probe.fixture.ts';

const ENDS_SOON_MS = 100;

/** Describes the tests of the quotas of a key. */
export function describeQuotas(opened: Opened): void {
  /** Repeats a test that counts calls of one minute until it does not run over the minute's end. */
  async function insideOneMinute(test: () => Promise<number>): Promise<void> {
    await vi.waitFor(async () => {
      const begun = Math.floor(timeOf(opened()) / MINUTE_MS);
      const now = await test();
      expect(Math.floor(now / MINUTE_MS)).toBe(begun);
    }, WAIT);
  }

  describe('quotas of the key', () => {
    it('refuse beyond the minute, and leave the window as it was', async () => {
      await insideOneMinute(async () => {
        const check = await activate(opened(), checkWith({ limit: 10, quota: { minute: 3, month: null } }));
        const answers = await askTimes(opened(), check, 3);
        expect(answers.map(({ quotas }) => quotas.minute.remaining).sort()).toEqual([0, 1, 2]);
        const refused = await opened().limiter.check(check);
        expect(refused).toMatchObject({
          kind: 'quota-exceeded',
          scope: 'minute',
          quotas: { minute: { limit: 3, remaining: 0 }, month: null },
        });
        if (refused.kind !== 'quota-exceeded') throw new Error('unreachable');
        expect(refused.retryAfterMs).toBe(refused.quotas.minute.resetAt - refused.now);
        const raised = { ...check, quota: { minute: 9, month: null } };
        expect(await ask(opened(), raised)).toMatchObject({ remaining: 6 });
        return refused.now;
      });
    });

    it('count denied calls and looks in the minute', async () => {
      await insideOneMinute(async () => {
        const check = await activate(opened(), checkWith({ limit: 1, quota: { minute: 3, month: null } }));
        await ask(opened(), check);
        expect(await ask(opened(), check)).toMatchObject({ allowed: false });
        const { now } = await ask(opened(), { ...check, cost: 0 });
        expect(await opened().limiter.check(check)).toMatchObject({ kind: 'quota-exceeded' });
        return now;
      });
    });

    it('keep counting a minute, even a published one, when the clock is set back', async ({ skip }) => {
      const engine = opened();
      const { clock } = engine;
      if (clock === undefined) return skip();
      const check = checkWith({ quota: { minute: 1, month: null } });
      const useUp = async () => {
        await activate(engine, check);
        await ask(engine, check);
        await engine.limiter.usagePublished(await pendingOf(engine, check));
      };
      clock.advance(MINUTE_MS - (clock.now() % MINUTE_MS) - 10_000);
      await useUp();
      clock.advance(10_000);
      await useUp();
      for (const step of [-10_000, 10_000]) {
        clock.advance(step);
        await activate(engine, check);
        expect(await engine.limiter.check(check)).toMatchObject({ kind: 'quota-exceeded', scope: 'minute' });
      }
    });

    it('ask for the calls of the month before they count it, and refuse beyond it', async () => {
      const check = await activate(opened(), checkWith({ quota: { minute: 1_000, month: 1_000 } }));
      const month = utcMonth(timeOf(opened()));
      expect(await opened().limiter.check(check)).toEqual({ kind: 'month-missing', month });
      await opened().limiter.fillMonth({ ...check, month, used: 999 });
      // The thousandth is let through, the next is not.
      expect(await ask(opened(), check)).toMatchObject({ allowed: true });
      const refused = await opened().limiter.check(check);
      if (refused.kind !== 'quota-exceeded') throw new Error('expecting a refusal');
      // The month ends at midnight UTC on the first.
      const end = new Date(refused.now + refused.retryAfterMs).toISOString();
      expect(end).toMatch(/^\d{4}-\d{2}-01T00:00:00\.000Z$/);
      expect(refused.retryAfterMs).toBeLessThanOrEqual(31 * DAY_MS);
    });

    it('tell what is left of minute and month', async () => {
      await insideOneMinute(async () => {
        const check = await activate(opened(), checkWith({ quota: { minute: 30, month: 20 } }));
        const month = utcMonth(timeOf(opened()));
        await opened().limiter.fillMonth({ ...check, month, used: 17 });
        await ask(opened(), check);
        const { quotas, now } = await ask(opened(), check);
        expect(quotas).toEqual({
          minute: { limit: 30, remaining: 28, resetAt: (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS },
          month: { limit: 20, remaining: 1, resetAt: endOfUtcMonth(month) },
        });
        await ask(opened(), check);
        expect(await opened().limiter.check(check)).toMatchObject({
          kind: 'quota-exceeded',
          scope: 'month',
          quotas: { minute: { remaining: 27 }, month: { remaining: 0 } },
        });
        return now;
      });
    });

    it('let a look pass when the month is used up, and count it in the minute alone', async () => {
      await insideOneMinute(async () => {
        const check = await activate(opened(), checkWith({ quota: { minute: 2, month: 1 } }));
        const look = { ...check, cost: 0 };
        await opened().limiter.fillMonth({ ...check, month: utcMonth(timeOf(opened())), used: 1 });
        const { quotas, now } = await ask(opened(), look);
        expect(quotas).toMatchObject({ minute: { remaining: 1 }, month: { remaining: 0 } });
        await ask(opened(), look);
        expect(await opened().limiter.check(look)).toMatchObject({
          kind: 'quota-exceeded',
          scope: 'minute',
        });
        return now;
      });
    });

    it('take the calls of a month from the first fill, and continue to count', async () => {
      const check = await activate(opened(), checkWith({ quota: { minute: 1_000, month: 10 }, limit: 100 }));
      const month = utcMonth(timeOf(opened()));
      await opened().limiter.fillMonth({ ...check, month, used: 7 });
      await ask(opened(), check);
      await opened().limiter.fillMonth({ ...check, month, used: 0 });
      await opened().limiter.fillMonth({ ...check, month: '2001-01', used: 0 });
      await ask(opened(), check);
      await ask(opened(), check);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'quota-exceeded', scope: 'month' });
    });

    it('turn with the month, over leap days and the end of the year', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      const begun = clock.now();
      for (const [last, month] of [
        ['2028-02-29T23:59:59.999Z', '2028-02'],
        ['2028-12-31T23:59:59.999Z', '2028-12'],
      ] as const) {
        clock.advance(Date.parse(last) - clock.now());
        const check = await activate(opened(), checkWith({ quota: { minute: 1_000, month: 1 } }));
        await opened().limiter.fillMonth({ ...check, month, used: 1 });
        expect(await opened().limiter.check(check)).toMatchObject({ scope: 'month', retryAfterMs: 1 });
        clock.advance(1);
        expect(await opened().limiter.check(check)).toEqual({
          kind: 'month-missing',
          month: utcMonth(clock.now()),
        });
      }
      clock.advance(begun - clock.now());
    });

    it('remember month and minute over a restart', async ({ skip }) => {
      const engine = opened();
      if (engine.reopen === undefined) return skip();
      const check = await activate(engine, checkWith({ quota: { minute: 4, month: 3 } }));
      await engine.limiter.fillMonth({ ...check, month: utcMonth(timeOf(engine)), used: 0 });
      await askTimes(engine, check, 2);
      await engine.reopen();
      await activate(engine, check);
      expect(await ask(engine, check)).toMatchObject({ quotas: { minute: { remaining: 1 } } });
      expect(await engine.limiter.check(check)).toMatchObject({ kind: 'quota-exceeded', scope: 'month' });
    });
  });
}

/** Describes the tests of the windows of a key that denied calls. */
export function describeDenied(opened: Opened): void {
  describe('denied windows', () => {
    const deny = async (check: Check, times: number) => {
      await ask(opened(), check);
      await askTimes(opened(), check, times);
    };

    it('are told with their calls, the most denied first, whatever their names', async () => {
      const before = timeOf(opened());
      const check = await activate(opened(), checkWith({ limit: 1, namespace: 'a:b', identifier: ':ü:' }));
      const other = { ...check, windowMs: 2 * DAY_MS, namespace: 'a', identifier: 'b::ü:' };
      await deny(check, 2);
      await deny(other, 3);
      await ask(opened(), { ...check, cost: 0 });
      const { since, windows } = await opened().limiter.deniedWindows(check);
      expect(windows).toEqual([
        { namespace: 'a', identifier: 'b::ü:', windowMs: 2 * DAY_MS, denied: 3 },
        { namespace: 'a:b', identifier: ':ü:', windowMs: check.windowMs, denied: 2 },
      ]);
      expect(since).toBeGreaterThanOrEqual(before);
      expect(since).toBeLessThanOrEqual(timeOf(opened()));
      expect(await opened().limiter.deniedWindows(checkWith())).toMatchObject({ windows: [] });
    });

    it('are bounded, and keep the one that is denied most', async () => {
      const check = await activate(opened(), checkWith({ limit: 1 }));
      await deny(check, 5);
      await Promise.all(
        Array.from({ length: DENIED_WINDOWS_MAX + 5 }, (_, index) =>
          deny({ ...check, identifier: `other ${index}` }, 1),
        ),
      );
      const { windows } = await opened().limiter.deniedWindows(check);
      expect(windows).toHaveLength(DENIED_WINDOWS_MAX);
      expect(windows[0]).toMatchObject({ identifier: check.identifier, denied: 5 });
    });

    it('are forgotten after their time, and not before half of it', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      const check = await activate(opened(), checkWith({ limit: 1, windowMs: 10 * DAY_MS }));
      const denied = async () => (await opened().limiter.deniedWindows(check)).windows[0]?.denied;
      await deny(check, 1);
      clock.advance(DENIED_KEPT_MS / 2);
      await activate(opened(), check);
      await ask(opened(), check);
      expect(await denied()).toBe(2);
      clock.advance(DENIED_KEPT_MS / 2);
      expect(await denied()).toBe(1);
      clock.advance(-DENIED_KEPT_MS);
    });
  });
}

/** Describes the tests of the statuses of keys. */
export function describeStatuses(opened: Opened): void {
  describe('statuses', () => {
    it('are asked for, and come before everything else', async () => {
      const check = checkWith({ quota: { minute: 0, month: 0 } });
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'status-missing' });
      expect(await opened().limiter.readKeyStatus(check)).toMatchObject({ kind: 'status-missing' });
      for (const [version, status] of [
        [1, 'payment-required'],
        [2, 'revoked'],
      ] as const) {
        await opened().limiter.putKeyStatus({ account: check.account, keyId: check.keyId, status, version });
        expect(await opened().limiter.check(check)).toEqual({ kind: status });
        expect(await opened().limiter.readKeyStatus(check)).toBe(status);
      }
    });

    it('stay revoked, whatever is written later', async () => {
      const check = await activate(opened(), checkWith());
      const { account, keyId } = check;
      await opened().limiter.putKeyStatus({ account, keyId, status: 'revoked', version: 5 });
      for (const version of [1, 5, 6]) {
        await opened().limiter.putKeyStatus({ account, keyId, status: 'active', version });
        expect(await opened().limiter.check(check)).toEqual({ kind: 'revoked' });
      }
    });

    it('are replaced by newer ones and not by older ones', async () => {
      const check = checkWith();
      const { account, keyId } = check;
      const put = (status: 'active' | 'payment-required', version: number) =>
        opened().limiter.putKeyStatus({ account, keyId, status, version });
      await put('payment-required', 7);
      await put('active', 6);
      expect(await opened().limiter.check(check)).toEqual({ kind: 'payment-required' });
      await put('active', 8);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'answered' });
    });

    it('are not believed after the end of the key, which revokes it', async () => {
      const check = checkWith();
      const { account, keyId } = check;
      const put = (status: 'active' | 'payment-required', expiresAt: number) =>
        opened().limiter.putKeyStatus({ account, keyId, status, version: 1, expiresAt });
      const now = timeOf(opened());
      await put('active', now + DAY_MS);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'answered' });
      await put('active', now + ENDS_SOON_MS);
      opened().clock?.advance(ENDS_SOON_MS);
      await expect.poll(() => opened().limiter.check(check), WAIT).toMatchObject({ kind: 'status-missing' });
      await put('active', now + ENDS_SOON_MS);
      expect(await opened().limiter.check(check)).toEqual({ kind: 'revoked' });
      expect(await opened().limiter.readKeyStatus(check)).toBe('revoked');
    });

    it('are active again when a key that has ended gets a later end', async () => {
      const check = checkWith();
      const { account, keyId } = check;
      const put = (version: number, expiresAt?: number) =>
        opened().limiter.putKeyStatus({
          ...{ account, keyId, status: 'active', version },
          ...(expiresAt !== undefined && { expiresAt }),
        });
      await put(1, timeOf(opened()) - 1);
      expect(await opened().limiter.check(check)).toEqual({ kind: 'revoked' });
      await put(2);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'answered' });
      await put(1, timeOf(opened()) - 1);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'answered' });
    });

    it('are asked for again after a clock was far ahead of a key that has not ended', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      const check = checkWith();
      const entry = { ...check, status: 'active', version: 1, expiresAt: clock.now() + DAY_MS } as const;
      clock.advance(2 * DAY_MS);
      await opened().limiter.putKeyStatus(entry);
      expect(await opened().limiter.check(check)).toEqual({ kind: 'revoked' });
      clock.advance(-2 * DAY_MS);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'status-missing' });
      await opened().limiter.putKeyStatus(entry);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'answered' });
    });

    it('are believed for a minute, a revocation for good', async ({ skip }) => {
      const { clock } = opened();
      if (clock === undefined) return skip();
      const check = await activate(opened(), checkWith());
      const revoked = checkWith();
      await opened().limiter.putKeyStatus({ ...revoked, status: 'revoked', version: 1 });
      clock.advance(MINUTE_MS - 1);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'answered' });
      clock.advance(1);
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'status-missing' });
      clock.advance(30 * DAY_MS);
      expect(await opened().limiter.check(revoked)).toEqual({ kind: 'revoked' });
      clock.advance(-30 * DAY_MS - MINUTE_MS);
    });
  });
}
