import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, utcMonth } from '../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { activate, ask, checkWith, pendingOf } from '../contracts/limiter-probe.ts';
import { ManualClock } from '../contracts/support.ts';
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

  /** Refuses one transaction, as a tool does that holds the file. */
  async function refuseOne(refused: () => Promise<unknown>): Promise<void> {
    const other = new DatabaseSync(join(folder, DATABASE_FILE));
    other.exec('BEGIN IMMEDIATE');
    await expect(refused()).rejects.toThrow(EngineUnavailableError);
    other.exec('ROLLBACK');
    other.close();
  }

  it('answers again after a refused transaction, and writes what that one held', async () => {
    const check = await activate(engine(), longCheck());
    const month = utcMonth(clock.now());
    await limiter.fillMonth({ ...check, month, used: 0 });
    await refuseOne(() => limiter.check(check));
    expect(await ask(engine(), { ...check, identifier: 'another' })).toMatchObject({ allowed: true });
    await restart();
    await activate(engine(), check);
    // The refused call counted in memory: window, minute and month have it on the disk as well.
    expect(await ask(engine(), check)).toMatchObject({ remaining: 3, quotas: { minute: { remaining: 97 } } });
    expect(await pendingOf(engine(), check)).toMatchObject([{ allowed: 3 }]);
  });

  it('does not replace a newer count of a window by the one of a refused transaction', async () => {
    const check = await activate(engine(), { ...longCheck(), quota: { minute: 100, month: null } });
    await refuseOne(() => limiter.check(check));
    expect(await ask(engine(), check)).toMatchObject({ remaining: 3 });
    await restart();
    await activate(engine(), check);
    expect(await ask(engine(), check)).toMatchObject({ remaining: 2 });
  });

  it('answers again after the queue of writes was full', async () => {
    const check = await activate(engine(), { ...longCheck(), quota: { minute: 100, month: null } });
    const queued = Array.from({ length: QUEUED_WRITES_MAX }, () => writer.run(() => undefined));
    await expect(limiter.check(check)).rejects.toThrow(EngineUnavailableError);
    await Promise.all(queued);
    expect(await ask(engine(), check)).toMatchObject({ allowed: true, remaining: 3 });
  });
});
