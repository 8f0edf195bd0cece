import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bench, settled } from '../../../infra/testing/accounts.fixture.ts';
import type { IndexEntry } from '../../../topics/ports/digest-index.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { defineWork, workSubscription } from '../work/work-handler.ts';
import { WorkLane } from '../work/work-lane.ts';
import { carryOut } from './effects.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

describe('effects', () => {
  it('are carried out again after a crash between commit and append', async () => {
    let appends = 0;
    const broken = {
      append: async () => {
        appends += 1;
        throw new EngineUnavailableError('log');
      },
      consume: bench.engine.log.consume.bind(bench.engine.log),
    };
    await bench.startFold({ log: broken });
    await bench.engine.log.append([bench.record('a', 'transfer', { to: 'b', amount: 40 })]);
    await settled(async () => expect(appends).toBeGreaterThan(0));
    await bench.stopLast();
    expect(await bench.sumOf('b')).toBeNull();
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('b')).toBe(40));
    expect(await bench.sumOf('a')).toBe(-40);
  });

  it('reach the limiter before anybody is answered, however long it takes', async () => {
    const { limiter } = bench.engine;
    const key = { account: 'a', keyId: 'key' };
    await limiter.putKeyStatus({ ...key, status: 'active', version: 0 });
    let refusals = 0;
    let reachable = false;
    await bench.startFold({
      limiter: {
        async putKeyStatus(entry) {
          if (!reachable) {
            refusals += 1;
            throw new EngineUnavailableError('rate limiter');
          }
          await limiter.putKeyStatus(entry);
        },
      },
    });
    let answered = false;
    const answer = bench.send('a', 'block', { name: 'key' }).finally(() => {
      answered = true;
    });
    await settled(async () => expect(refusals).toBeGreaterThan(2));
    expect([answered, await limiter.readKeyStatus(key)]).toEqual([false, 'active']);
    reachable = true;
    await answer;
    expect(await limiter.readKeyStatus(key)).toBe('revoked');
    await limiter.putKeyStatus({ ...key, status: 'active', version: 1_000 });
    expect(await limiter.readKeyStatus(key)).toBe('revoked');
  });

  it('write an index entry once that one command ends and makes again, in its last state', async () => {
    const targets: unknown[] = [];
    const digestIndex = {
      get: bench.engine.digestIndex.get.bind(bench.engine.digestIndex),
      put: async ({ target }: IndexEntry) => void targets.push(target),
    };
    const entry = { kind: 'claim-code', digest: 'd', version: 3, expiresAt: null } as const;
    await carryOut({ ...bench.dependencies(), digestIndex }, [
      { kind: 'lookup', entry: { ...entry, target: null } },
      { kind: 'lookup', entry: { ...entry, target: { account: 'a' } } },
    ]);
    expect(targets).toEqual([{ account: 'a' }]);
  });

  it('leave no row behind once it is quiet', async () => {
    await bench.startFold();
    await bench.send('a', 'transfer', { to: 'b', amount: 1 });
    await settled(async () =>
      expect(
        await bench.engine.store.list({ table: 'workspaces', id: 'a' }, 'pending', { limit: 10 }),
      ).toEqual([]),
    );
  });
});

describe('work', () => {
  const itemTable = { item: { input: z.strictObject({ name: z.string() }) } };
  const report = (account: string) =>
    ({ kind: 'command', topic: 'workspaces', key: account, type: 'report', input: { name: 'w' } }) as const;

  it('is repeated while it fails, then reports its failure as a command', async () => {
    let attempts = 0;
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: 2,
      attemptsMax: 3,
      async handle() {
        attempts += 1;
        throw new Error('splitting');
      },
      failed: () => report('failed'),
    });
    await bench.startFold();
    await bench.consume(workSubscription(work, bench.dependencies(), new WorkLane()));
    await bench.send('a', 'work', { name: 'n' });
    await settled(async () => expect(await bench.sumOf('failed')).toBe(1));
    expect(attempts).toBe(3);
  });

  it('reports its result', async () => {
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: 2,
      attemptsMax: 3,
      handle: async () => report('worked'),
      failed: () => null,
    });
    await bench.startFold();
    await bench.consume(workSubscription(work, bench.dependencies(), new WorkLane()));
    await bench.send('a', 'work', { name: 'n' });
    await settled(async () => expect(await bench.sumOf('worked')).toBe(1));
  });
});
