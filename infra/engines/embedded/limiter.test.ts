import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { endOfUtcMonth, HOUR_MS, MINUTE_MS, SECOND_MS, utcMonth } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { activate, ask, checkWith, pendingOf } from '../../testing/contracts/limiter-probe.fixture.ts';
import { DATABASE_FILE } from './database.ts';
import { EmbeddedLimiterFixture } from './embedded-limiter.fixture.ts';
import { QUEUED_WRITES_MAX } from './group-commit.ts';

describe('EmbeddedLimiter', () => {
  let held: EmbeddedLimiterFixture;
  beforeEach(async () => {
    held = await EmbeddedLimiterFixture.open();
  });
  afterEach(() => held.close());

  const longCheck = () => checkWith({ limit: 5, windowMs: HOUR_MS, quota: { minute: 100, month: 10 } });

  /** Makes one transaction fail, like a tool that locks the file. */
  async function refuseOne(refused: () => Promise<unknown>): Promise<void> {
    const other = new DatabaseSync(join(held.folder, DATABASE_FILE));
    other.exec('BEGIN IMMEDIATE');
    await expect(refused()).rejects.toThrow(EngineUnavailableError);
    other.exec('ROLLBACK');
    other.close();
  }

  it('answers again after a failed transaction, and writes its changes', async () => {
    const check = await activate(held, longCheck());
    const month = utcMonth(held.clock.now());
    await held.limiter.fillMonth({ ...check, month, used: 0 });
    await refuseOne(() => held.limiter.check(check));
    expect(await ask(held, { ...check, identifier: 'another' })).toMatchObject({ allowed: true });
    await held.restart({ orderly: false });
    await activate(held, check);
    // The rejected call counted in memory; window, minute and month are on the disk as well.
    expect(await ask(held, check)).toMatchObject({ remaining: 3, quotas: { minute: { remaining: 97 } } });
    expect(await pendingOf(held, check)).toMatchObject([{ allowed: 3 }]);
  });

  it('keeps a newer count of a window than that of a failed transaction', async () => {
    const check = await activate(held, { ...longCheck(), quota: { minute: 100, month: null } });
    await refuseOne(() => held.limiter.check(check));
    expect(await ask(held, check)).toMatchObject({ remaining: 3 });
    await held.restart({ orderly: false });
    await activate(held, check);
    expect(await ask(held, check)).toMatchObject({ remaining: 2 });
  });

  it('answers a repeat when the count of the first call is on the disk', async () => {
    const idempotency = { digest: sha256Hex('key'), inputDigest: sha256Hex('input') };
    const check = await activate(held, { ...longCheck(), quota: { minute: 100, month: null } });
    const keyed = { ...check, idempotency };
    await refuseOne(() => held.limiter.check(keyed));
    expect(await ask(held, keyed)).toMatchObject({ allowed: true, remaining: 4 });
    await held.restart({ orderly: false });
    await activate(held, check);
    expect(await ask(held, check)).toMatchObject({ remaining: 3 });
  });

  // The remembered end of a window may lie ahead of a clock that was set back.
  it.each([MINUTE_MS, 2 * HOUR_MS])(
    'begins a window of %i ms again after its reset, whatever the clock',
    async (windowMs) => {
      const check = await activate(held, {
        ...longCheck(),
        windowMs,
        quota: { minute: 100, month: null },
      });
      await ask(held, check);
      expect(await held.limiter.endWindow(check)).toBe(true);
      held.clock.advance(-SECOND_MS);
      expect(await held.limiter.readWindow(check)).toBeNull();
      // The status of the key was read at a time that is to come.
      await activate(held, check);
      expect(await ask(held, check)).toMatchObject({ resetAt: held.clock.now() + windowMs });
    },
  );

  describe('sweep of unused keys', () => {
    const rows = () =>
      ['limiter_month', 'limiter_usage'].map((table) =>
        Number(held.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
      );
    const publish = async (check: Check) => held.limiter.usagePublished(await pendingOf(held, check));
    const used = async () => {
      const check = await activate(held, longCheck());
      await held.limiter.fillMonth({ ...check, month: utcMonth(held.clock.now()), used: 0 });
      await ask(held, check);
      return check;
    };
    const revoke = ({ account, keyId }: Check) =>
      held.limiter.putKeyStatus({ account, keyId, status: 'revoked', version: 2 });

    it('drops month and counts of a revoked key, and requests its status again', async () => {
      const check = await used();
      await publish(check);
      await revoke(check);
      await held.limiter.sweep(held.clock.now(), 100);
      expect(await held.limiter.check(check)).toEqual({ kind: 'revoked' });
      held.clock.advance(2 * HOUR_MS);
      await held.limiter.sweep(held.clock.now(), 100);
      expect(rows()).toEqual([0, 0]);
      expect(await held.limiter.check(check)).toMatchObject({ kind: 'status-missing' });
    });

    it('keeps unpublished counts, and the month of a key that may be used again', async () => {
      const unpublished = await used();
      await revoke(unpublished);
      const idle = await used();
      await publish(idle);
      held.clock.advance(2 * HOUR_MS);
      await held.limiter.sweep(held.clock.now(), 100);
      expect(rows()[0]).toBe(2);
      expect(await pendingOf(held, unpublished)).toMatchObject([{ allowed: 1 }]);
    });

    it('drops an idle key once its month is over', async () => {
      const check = await used();
      await publish(check);
      held.clock.advance(endOfUtcMonth(utcMonth(held.clock.now())) - held.clock.now() + 2 * HOUR_MS);
      await held.limiter.sweep(held.clock.now(), 100);
      expect(rows()).toEqual([0, 0]);
      await held.restart({ orderly: false });
      expect(await held.limiter.check(check)).toMatchObject({ kind: 'status-missing' });
    });
  });

  it('answers again after the queue of writes was full', async () => {
    const check = await activate(held, { ...longCheck(), quota: { minute: 100, month: null } });
    const queued = Array.from({ length: QUEUED_WRITES_MAX }, () => held.writer.run(() => undefined));
    await expect(held.limiter.check(check)).rejects.toThrow(EngineUnavailableError);
    await Promise.all(queued);
    expect(await ask(held, check)).toMatchObject({ allowed: true, remaining: 3 });
  });
});
