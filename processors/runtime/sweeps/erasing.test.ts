import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accounts, Bench, settled } from '../../../infra/testing/accounts.fixture.ts';
import { ERASED_ROWS_MAX } from '../../../schemas/base/erasure.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { DEAD_LETTERS } from '../../../schemas/operations/dead-letters.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import type { ListOptions, Store } from '../../../topics/ports/store.ts';
import { createLettersFold } from '../../operations/fold.ts';
import { foldSubscription } from '../command-handler.ts';
import { deadLetterRecord, followUp } from '../effects/follow-up.ts';
import { workSubscription } from '../work/work-handler.ts';
import { WorkLane } from '../work/work-lane.ts';
import { erasedLetterSweep } from './erased-letter-sweep.ts';
import { eraser } from './eraser.ts';
import { eraseDeadLetters } from './erasure.ts';
import { sweepSubscription } from './sweeper.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const ROWS = 450;
const REQUEST_ID = `req_${'a'.repeat(24)}`;

/** The same accounts, which are erased once nothing is in them. */
const erasable = {
  ...accounts,
  isErased: (root: object) => 'sum' in root && root.sum === 0,
};

describe('an erasure', () => {
  it('removes every row, and reads none of those before the last that it removed', async () => {
    const asked: (ListOptions & { kind: string })[] = [];
    const { store } = bench.engine;
    const watched: Store = {
      load: (...args) => store.load(...args),
      read: (...args) => store.read(...args),
      commit: (...args) => store.commit(...args),
      list: (aggregate, kind, options) => {
        asked.push({ kind, ...options });
        return store.list(aggregate, kind, options);
      },
    };
    const dependencies = bench.dependencies({ store: watched });
    await bench.consume(foldSubscription(erasable, dependencies));
    await bench.consume(workSubscription(eraser(dependencies, [erasable]), dependencies, new WorkLane()));
    await bench.send('a', 'fill', { prefix: 'n', rows: ROWS, remove: false });
    await bench.send('a', 'add', { name: 'x', amount: -ROWS }, 'k1');
    // A request is refused, or here answered, and leaves a row of the ring: it is removed as well.
    await bench.send('a', 'empty', {});
    await settled(async () => {
      for (const kind of ['counter', 'outcome', 'entity-keys', 'recent'])
        expect(await store.list({ table: 'workspaces', id: 'a' }, kind, { limit: 1 })).toEqual([]);
    });
    const counters = asked.filter(({ kind }) => kind === 'counter');
    expect(counters.filter(({ after }) => after === undefined)).toHaveLength(1);
    const places = counters.map(({ after }) => after ?? '');
    expect(places).toEqual([...places].sort());
    expect(places.length).toBeGreaterThanOrEqual(Math.ceil(ROWS / ERASED_ROWS_MAX));
  });

  it.each([
    ['letters', {}],
    ['letters with a member that only a newer release knows', { newer: 1 }],
    ['letters that only a newer release can read', { state: 'postponed' }],
  ])('removes the dead letters of records before it that name what was erased: %s', async (_, newer) => {
    const dependencies = bench.dependencies();
    const list: Store['list'] = async (...query) =>
      (await dependencies.store.list(...query)).map((row) => ({
        ...row,
        document: { ...row.document, ...newer },
      }));
    await bench.consume(foldSubscription(createLettersFold(DEFAULT_LIMITS), dependencies));
    await bench.consume(workSubscription(eraser({ store: { list } }, []), dependencies, new WorkLane()));
    const now = dependencies.clock.now();
    const letters: readonly (Partial<LogRecord> & { value: string })[] = [
      ...Array.from({ length: 45 }, () => ({ value: 'of subject-a' })),
      { value: 'of subject-b' },
      { value: 'by key', key: 'subject-a' },
      { value: 'an action on subject-a', topic: 'audit' },
      { value: 'the erasure of subject-a', appendedAt: now },
    ];
    const records = letters.map(
      (letter, offset): LogRecord => ({
        // Few letters of one aggregate are listed.
        ...{ topic: 'activate', generation: 1, partition: 0, key: `k${offset}`, appendedAt: now - 1 },
        ...{ offset, ...letter },
      }),
    );
    const failure = { group: 'fold-activate', reason: 'r' };
    await bench.engine.log.append(
      records.map((record) => deadLetterRecord(record, failure, REQUEST_ID, now)),
    );
    const listed = async () => {
      const rows = await bench.engine.store.list({ table: 'operations', id: DEAD_LETTERS }, 'letter', {
        limit: 100,
      });
      return rows.map(({ document }) => document['value']);
    };
    await settled(async () => expect(await listed()).toHaveLength(letters.length));
    const erased = eraseDeadLetters('subject-a', { aggregate: 'k', now, sequence: 1 });
    const parent = { requestId: REQUEST_ID, replyTo: null, actor: { kind: 'system', id: 'test' } } as const;
    const item = followUp(erased, parent, { key: 'one', at: now });
    await bench.engine.log.append([{ topic: 'erasures', key: erased.key, value: JSON.stringify(item) }]);
    await settled(async () =>
      expect((await listed()).sort()).toEqual([
        'an action on subject-a',
        'of subject-b',
        'the erasure of subject-a',
      ]),
    );
    const late = { ...records[0], offset: records.length, value: 'late of subject-a' } as LogRecord;
    await bench.engine.log.append([deadLetterRecord(late, failure, REQUEST_ID, now)]);
    await settled(async () => expect(await listed()).toContain(late.value));
    const clock = { now: () => dependencies.clock.now() + 2 * DAY_MS };
    await bench.consume(sweepSubscription(erasedLetterSweep, { ...dependencies, clock }));
    await settled(async () => expect(await listed()).not.toContain(late.value));
  });

  it('leaves nothing of a command that could not be folded afterwards', async () => {
    await bench.consume(foldSubscription(erasable, bench.dependencies()));
    await bench.send('a', 'fill', { prefix: 'n', rows: 0, remove: false });
    await expect(bench.send('a', 'burst', {}, 'k1')).rejects.toMatchObject({
      refusal: { code: 'internal_error' },
    });
    // The answer comes before the commit.
    await settled(async () => expect((await bench.rootOf('a'))?.applied.offset).toBe(1));
    const rows = await bench.engine.store.list({ table: 'workspaces', id: 'a' }, 'recent', { limit: 10 });
    // That of the command before, when the aggregate was not erased yet.
    expect(rows).toHaveLength(1);
  });
});
