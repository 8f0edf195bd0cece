import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endOfUtcMonth, HOUR_MS, utcMonth } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { activate, ask, checkWith, pendingOf } from '../../testing/contracts/limiter-probe.fixture.ts';
import { DATABASE_FILE, openDatabase, stopWaiting } from './database.ts';
import { GroupCommit, QUEUED_WRITES_MAX } from './group-commit.ts';
import { EmbeddedLimiter } from './limiter.ts';

const LOCK_WAIT_MS = 1;

describe('EmbeddedLimiter', () => {
  let folder: string;
  let database: DatabaseSync;
  let writer: GroupCommit;
  let limiter: EmbeddedLimiter;
  let clock: ManualClock;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-limiter-'));
    clock = new ManualClock();
    // Far from the ends of an hour and a month.
    clock.advance(Date.UTC(2027, 0, 15, 12, 0, 10) - clock.now());
    open();
  });
  afterEach(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  function open(): void {
    database = openDatabase(folder);
    stopWaiting(database);
    writer = new GroupCommit(
      database,
      async () => {},
      (error) => {
        throw error;
      },
      () => {},
      LOCK_WAIT_MS,
    );
    limiter = new EmbeddedLimiter(database, writer, clock);
  }

  async function restart(): Promise<void> {
    await writer.close();
    database.close();
    open();
  }

  const engine = () => ({ limiter, clock, close: async () => undefined });
  const longCheck = () => checkWith({ limit: 5, windowMs: HOUR_MS, quota: { minute: 100, month: 10 } });

  /** Makes one transaction fail, like a tool that locks the file. */
  async function refuseOne(refused: () => Promise<unknown>): Promise<void> {
    const other = new DatabaseSync(join(folder, DATABASE_FILE));
    other.exec('BEGIN IMMEDIATE');
    await expect(refused()).rejects.toThrow(EngineUnavailableError);
    other.exec('ROLLBACK');
    other.close();
  }

  it('answers again after a failed transaction, and writes its changes', async () => {
    const check = await activate(engine(), longCheck());
    const month = utcMonth(clock.now());
    await limiter.fillMonth({ ...check, month, used: 0 });
    await refuseOne(() => limiter.check(check));
    expect(await ask(engine(), { ...check, identifier: 'another' })).toMatchObject({ allowed: true });
    await restart();
    await activate(engine(), check);
    // The rejected call counted in memory; window, minute and month are on the disk as well.
    expect(await ask(engine(), check)).toMatchObject({ remaining: 3, quotas: { minute: { remaining: 97 } } });
    expect(await pendingOf(engine(), check)).toMatchObject([{ allowed: 3 }]);
  });

  it('keeps a newer count of a window than that of a failed transaction', async () => {
    const check = await activate(engine(), { ...longCheck(), quota: { minute: 100, month: null } });
    await refuseOne(() => limiter.check(check));
    expect(await ask(engine(), check)).toMatchObject({ remaining: 3 });
    await restart();
    await activate(engine(), check);
    expect(await ask(engine(), check)).toMatchObject({ remaining: 2 });
  });

  describe('sweep of unused keys', () => {
    const rows = () =>
      ['limiter_month', 'limiter_usage'].map((table) =>
        Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
      );
    const publish = async (check: Check) => limiter.usagePublished(await pendingOf(engine(), check));
    const used = async () => {
      const check = await activate(engine(), longCheck());
      await limiter.fillMonth({ ...check, month: utcMonth(clock.now()), used: 0 });
      await ask(engine(), check);
      return check;
    };
    const revoke = ({ account, keyId }: Check) =>
      limiter.putKeyStatus({ account, keyId, status: 'revoked', version: 2 });

    it('drops month and counts of a revoked key, and requests its status again', async () => {
      const check = await used();
      await publish(check);
      await revoke(check);
      await limiter.sweep(clock.now(), 100);
      expect(await limiter.check(check)).toEqual({ kind: 'revoked' });
      clock.advance(2 * HOUR_MS);
      await limiter.sweep(clock.now(), 100);
      expect(rows()).toEqual([0, 0]);
      expect(await limiter.check(check)).toMatchObject({ kind: 'status-missing' });
    });

    it('keeps unpublished counts, and the month of a key that may be used again', async () => {
      const unpublished = await used();
      await revoke(unpublished);
      const idle = await used();
      await publish(idle);
      clock.advance(2 * HOUR_MS);
      await limiter.sweep(clock.now(), 100);
      expect(rows()[0]).toBe(2);
      expect(await pendingOf(engine(), unpublished)).toMatchObject([{ allowed: 1 }]);
    });

    it('drops an idle key once its month is over', async () => {
      const check = await used();
      await publish(check);
      clock.advance(endOfUtcMonth(utcMonth(clock.now())) - clock.now() + 2 * HOUR_MS);
      await limiter.sweep(clock.now(), 100);
      expect(rows()).toEqual([0, 0]);
      await restart();
      expect(await limiter.check(check)).toMatchObject({ kind: 'status-missing' });
    });
  });

  it('answers again after the queue of writes was full', async () => {
    const check = await activate(engine(), { ...longCheck(), quota: { minute: 100, month: null } });
    const queued = Array.from({ length: QUEUED_WRITES_MAX }, () => writer.run(() => undefined));
    await expect(limiter.check(check)).rejects.toThrow(EngineUnavailableError);
    await Promise.all(queued);
    expect(await ask(engine(), check)).toMatchObject({ allowed: true, remaining: 3 });
  });
});
