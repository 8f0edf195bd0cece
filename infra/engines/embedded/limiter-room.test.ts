import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { EngineFullError } from '../../../topics/ports/failures.ts';
import type { Check } from '../../../topics/ports/limiter.ts';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { activate, ask, checkWith, WindowModel } from '../../testing/contracts/limiter-probe.fixture.ts';
import { openDatabase } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { EmbeddedLimiter } from './limiter.ts';

const WINDOWS_IN_MEMORY = 20;
const REMEMBERED = 20;
const REMEMBERED_SURE = 3;
const WINDOW_MS = 5 * MINUTE_MS;

let folder: string;
let database: DatabaseSync;
let writer: GroupCommit;
let limiter: EmbeddedLimiter;
let clock: ManualClock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limiter-room-'));
  clock = new ManualClock();
  clock.advance(Date.UTC(2027, 0, 15, 12, 0, 10) - clock.now());
  open();
});

afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

function open(): void {
  database = openDatabase(folder);
  const fail = (error: unknown) => {
    throw error;
  };
  writer = new GroupCommit(
    database,
    async () => {},
    fail,
    () => {},
  );
  limiter = new EmbeddedLimiter(database, writer, clock, {
    shortWindowsMax: WINDOWS_IN_MEMORY,
    rememberedMax: REMEMBERED,
    rememberedSure: REMEMBERED_SURE,
  });
}

async function restart({ orderly }: { orderly: boolean }): Promise<void> {
  if (orderly) await limiter.close();
  await writer.close();
  database.close();
  open();
}

const engine = () => ({ limiter, clock, close: async () => undefined });
const tenant = (differing: Partial<Check> = {}) =>
  activate(engine(), checkWith({ windowMs: WINDOW_MS, limit: 3, ...differing }));

/** Starts more windows of several tenants than memory holds. */
async function fillMemory(): Promise<Check> {
  const greedy = await tenant();
  for (let count = 0; count < 2 * WINDOWS_IN_MEMORY; count += 1) {
    expect(await ask(engine(), { ...greedy, identifier: `user-${count}` })).toMatchObject({ remaining: 2 });
  }
  return greedy;
}

describe('windows of EmbeddedLimiter beyond its memory', () => {
  it('are counted exactly, for the tenant that filled the memory and for the others', async () => {
    const greedy = await fillMemory();
    const modest = await tenant();
    const model = new WindowModel();
    for (let round = 0; round < 4; round += 1) {
      for (const identifier of ['ada', 'grace']) {
        const check = { ...modest, identifier };
        expect(await ask(engine(), check)).toMatchObject(model.take(check));
      }
    }
    for (let count = 0; count < 2 * WINDOWS_IN_MEMORY; count += 1) {
      expect(await ask(engine(), { ...greedy, identifier: `user-${count}` })).toMatchObject({ remaining: 1 });
    }
  });

  it('begin again after their end, in memory if there is room', async () => {
    await fillMemory();
    const modest = await tenant();
    for (let count = 0; count < 4; count += 1) await ask(engine(), modest);
    clock.advance(WINDOW_MS);
    await activate(engine(), modest);
    expect(await ask(engine(), modest)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it.each([{ orderly: true }, { orderly: false }])('continue after a stop: %o', async (how) => {
    await fillMemory();
    const modest = await tenant();
    await ask(engine(), modest);
    await restart(how);
    await activate(engine(), modest);
    expect(await ask(engine(), modest)).toMatchObject({ remaining: 1 });
  });

  it('survive a restart with more windows than memory holds', async () => {
    const greedy = await fillMemory();
    await restart({ orderly: true });
    await activate(engine(), greedy);
    for (let count = 0; count < 2 * WINDOWS_IN_MEMORY; count += 1) {
      expect(await ask(engine(), { ...greedy, identifier: `user-${count}` })).toMatchObject({ remaining: 1 });
    }
  });
});

describe('Idempotency-Keys of EmbeddedLimiter', () => {
  const keyed = (check: Check, number: number): Check => ({
    ...check,
    limit: 100,
    idempotency: { digest: sha256Hex(`key ${number}`), inputDigest: sha256Hex('input') },
  });

  it('have a reserved share for every tenant', async () => {
    const greedy = await tenant();
    for (let count = 0; count < REMEMBERED; count += 1) await ask(engine(), keyed(greedy, count));
    await expect(limiter.check(keyed(greedy, REMEMBERED))).rejects.toThrow(EngineFullError);
    const modest = await tenant();
    for (let count = 0; count < REMEMBERED_SURE; count += 1) {
      const first = await ask(engine(), keyed(modest, count));
      expect(await ask(engine(), keyed(modest, count))).toEqual(first);
    }
    await expect(limiter.check(keyed(modest, REMEMBERED))).rejects.toThrow(EngineFullError);
    clock.advance(2 * MINUTE_MS);
    await activate(engine(), greedy);
    expect(await ask(engine(), keyed(greedy, REMEMBERED))).toMatchObject({ allowed: true });
  });
});
