import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accounts, Bench, SUM_MAX, settled } from '../../infra/testing/accounts.fixture.ts';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import { CommitUnknownError, EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Store } from '../../topics/ports/store.ts';
import { foldSubscription } from './command-handler.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

describe('commands', () => {
  it('fold into state and answer', async () => {
    await bench.startFold();
    expect(await bench.send('a', 'add', { name: 'x', amount: 3 })).toEqual({ count: 3, total: 3 });
    expect(await bench.send('a', 'add', { name: 'y', amount: 4 })).toEqual({ count: 4, total: 7 });
    expect(await bench.sumOf('a')).toBe(7);
  });

  it('answer a repeated key with the stored outcome, changed input with a conflict, and count once', async () => {
    await bench.startFold();
    const first = await bench.send('a', 'add', { name: 'x', amount: 3 }, 'k1');
    expect(await bench.send('a', 'add', { name: 'x', amount: 3 }, 'k1')).toEqual(first);
    await expect(bench.send('a', 'add', { name: 'x', amount: 4 }, 'k1')).rejects.toMatchObject({
      refusal: { code: 'idempotency_conflict' },
    });
    expect(await bench.sumOf('a')).toBe(3);
  });

  it('do not remember refusals: the same key works once the cause is gone', async () => {
    await bench.startFold();
    await bench.send('a', 'add', { name: 'x', amount: SUM_MAX }, 'k1');
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 }, 'k2')).rejects.toMatchObject({
      refusal: { code: 'limit_reached' },
    });
    await bench.send('a', 'add', { name: 'x', amount: -5 }, 'k3');
    expect(await bench.send('a', 'add', { name: 'x', amount: 1 }, 'k2')).toMatchObject({
      total: SUM_MAX - 4,
    });
  });

  it('forget the keys of an entity that is gone', async () => {
    await bench.startFold();
    await bench.send('a', 'add', { name: 'x', amount: 3 }, 'k1');
    await bench.send('a', 'add', { name: 'y', amount: 3 }, 'k2');
    await bench.send('a', 'drop', { name: 'x' });
    expect(await bench.send('a', 'add', { name: 'x', amount: 9 }, 'k1')).toEqual({ count: 9, total: 15 });
    await expect(bench.send('a', 'add', { name: 'y', amount: 9 }, 'k2')).rejects.toMatchObject({
      refusal: { code: 'idempotency_conflict' },
    });
  });

  it('fold into the root of an older release with the defaults of this one', async () => {
    const document = { ...EMPTY_ROOT, state: {} };
    const root = { version: 1, batchId: randomUUID(), applied: { generation: 0, offset: -1 }, document };
    await bench.engine.store.commit({ table: 'workspaces', id: 'a' }, 0, { root, put: [], remove: [] });
    await bench.startFold();
    expect(await bench.send('a', 'add', { name: 'x', amount: 3 })).toEqual({ count: 3, total: 3 });
  });

  it('stay exact at a limit under parallel requests', async () => {
    await bench.startFold();
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => bench.send('a', 'add', { name: `n${index}`, amount: 100 })),
    );
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(10);
    expect(await bench.sumOf('a')).toBe(SUM_MAX);
  });

  it('cross two aggregates: the last fold answers, a repeat finds its answer, and the amount moves once', async () => {
    await bench.startFold();
    expect(await bench.send('a', 'transfer', { to: 'b', amount: 40 }, 'k1')).toEqual({ received: 40 });
    expect(await bench.send('a', 'transfer', { to: 'b', amount: 40 }, 'k1')).toEqual({ received: 40 });
    expect([await bench.sumOf('a'), await bench.sumOf('b')]).toEqual([-40, 40]);
  });
});

describe('positions', () => {
  it('never fold a record twice, also when a group starts over', async () => {
    await bench.engine.log.append([
      bench.record('a', 'report', { name: 'x' }),
      bench.record('a', 'report', { name: 'x' }),
    ]);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(2));
    await bench.stopLast();
    // A group that has committed nothing: every record comes again, as after a crash before the offsets moved.
    const again = foldSubscription(accounts, bench.dependencies());
    await bench.consume({ ...again, group: 'fold-again' });
    await bench.engine.log.append([bench.record('a', 'report', { name: 'x' })]);
    await settled(async () => expect(await bench.sumOf('a')).toBe(3));
    expect((await bench.rootOf('a'))?.document).toMatchObject({ sequence: 3 });
  });

  it('change nothing for a record that was appended after its waiter gave up', async () => {
    await bench.engine.log.append([
      bench.record('a', 'add', { name: 'x', amount: 5 }, { notAfter: Date.now() - 60_000 }),
    ]);
    await bench.engine.log.append([bench.record('a', 'add', { name: 'x', amount: 7 })]);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(7));
  });
});

describe('poison', () => {
  it('goes to the dead letters, answers 500 and lets what follows pass', async () => {
    await bench.startFold();
    await expect(bench.send('a', 'burst', {}, 'k1')).rejects.toMatchObject({
      refusal: { code: 'internal_error' },
    });
    await bench.engine.log.append([
      { topic: 'workspaces', key: 'a', value: 'not json' },
      bench.record('a', 'unheard-of', {}),
      bench.record('a', 'add', { name: 'secret-value', amount: 'many' }),
    ]);
    expect(await bench.send('a', 'add', { name: 'x', amount: 1 })).toMatchObject({ total: 1 });
    const letters: { reason: string; value: string }[] = [];
    await bench.consume({
      group: 'operators',
      topic: 'dead-letters',
      batchRecordsMax: 10,
      open: () => ({
        async handle(records) {
          letters.push(...records.map((record) => JSON.parse(record.value).input));
          return { nextOffset: (records.at(-1)?.offset ?? 0) + 1, pauseMs: 0 };
        },
        idle: async () => 'done' as const,
        async close() {},
      }),
    });
    await settled(async () => expect(letters).toHaveLength(4));
    expect(letters.map((letter) => letter.reason)).toEqual([
      'folding a burst',
      'reading JSON',
      'reading a command of the unknown type unheard-of',
      'amount: invalid_type',
    ]);
  });
});

describe('a store in trouble', () => {
  /** The real store with one failure a call, taken from a list. */
  function failing(failures: (('before' | 'after') | null)[], error: () => Error): Store {
    const { store } = bench.engine;
    return {
      load: (aggregate, rows) => store.load(aggregate, rows),
      read: (aggregate, rows) => store.read(aggregate, rows),
      list: (aggregate, kind, options) => store.list(aggregate, kind, options),
      async commit(aggregate, held, changes) {
        const failure = failures.shift() ?? null;
        if (failure === 'before') throw error();
        const result = await store.commit(aggregate, held, changes);
        if (failure === 'after') throw error();
        return result;
      },
    };
  }

  it.each([['before'], ['after']] as const)(
    'applies a commit without an answer once (lost %s it was applied)',
    async (when) => {
      await bench.startFold({ store: failing([when, when], () => new CommitUnknownError()) });
      expect(await bench.send('a', 'add', { name: 'x', amount: 3 })).toEqual({ count: 3, total: 3 });
      expect(await bench.send('a', 'report', { name: 'x' })).toEqual({});
      expect(await bench.sumOf('a')).toBe(4);
    },
  );

  it('continues by itself after the store was down', async () => {
    await bench.startFold({
      store: failing(['before', 'before', 'before'], () => new EngineUnavailableError('store')),
    });
    expect(await bench.send('a', 'add', { name: 'x', amount: 3 })).toEqual({ count: 3, total: 3 });
    expect((await bench.rootOf('a'))?.version).toBe(1);
  });

  it('drops its cache when another processor has committed, and folds on top of that', async () => {
    await bench.startFold();
    await bench.send('a', 'add', { name: 'x', amount: 3 });
    const root = (await bench.rootOf('a'))!;
    const document = { ...root.document, state: { sum: 500 } };
    await bench.engine.store.commit({ table: 'workspaces', id: 'a' }, root.version, {
      root: { ...root, version: root.version + 1, batchId: 'another', document },
      put: [],
      remove: [],
    });
    expect(await bench.send('a', 'add', { name: 'x', amount: 4 })).toEqual({ count: 7, total: 504 });
  });
});
