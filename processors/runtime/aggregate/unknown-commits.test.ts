import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, settled } from '../../../infra/testing/accounts.fixture.ts';
import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type { LogRecord, Position } from '../../../topics/ports/log.ts';
import type { AggregateRef, Changes, Store } from '../../../topics/ports/store.ts';
import { isBeyond } from './aggregate.ts';

const ACCOUNT: AggregateRef = { table: 'workspaces', id: 'a' };

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

/** The changes of each commit that was sent. */
type Sent = Changes[];

/** The real store, which loses the answer of the first commits. */
function losing(
  answers: number,
  { sent, isApplied, meanwhile }: { sent: Sent; isApplied: boolean; meanwhile?: () => Promise<void> },
  load: Store['load'] = (...given) => bench.engine.store.load(...given),
): Store {
  const { store } = bench.engine;
  return {
    load,
    read: (...given) => store.read(...given),
    list: (...given) => store.list(...given),
    async commit(ref, held, changes) {
      sent.push(changes);
      if (sent.length > answers) return await store.commit(ref, held, changes);
      if (isApplied) await store.commit(ref, held, changes);
      await meanwhile?.();
      throw new CommitUnknownError();
    },
  };
}

const add = (amount: number) => bench.send('a', 'add', { name: 'x', amount });

describe('a position', () => {
  it.each<[string, Position, Position, boolean]>([
    ['the next record', { generation: 1, offset: 6 }, { generation: 1, offset: 5 }, true],
    ['the last folded record itself', { generation: 1, offset: 5 }, { generation: 1, offset: 5 }, false],
    ['an earlier record', { generation: 1, offset: 4 }, { generation: 1, offset: 5 }, false],
    [
      'the first record of the next generation',
      { generation: 2, offset: 0 },
      { generation: 1, offset: 5 },
      true,
    ],
    [
      'a later record of an earlier generation',
      { generation: 1, offset: 9 },
      { generation: 2, offset: 0 },
      false,
    ],
  ])('decides if a record is folded: %s', (_name, record, applied, isFolded) => {
    expect(isBeyond(record as LogRecord, applied)).toBe(isFolded);
  });
});

describe('a commit without an answer', () => {
  it('is neither sent again nor loaded again if it was applied', async () => {
    const sent: Sent = [];
    let loads = 0;
    const store = losing(1, { sent, isApplied: true }, (...given) => {
      loads += 1;
      return bench.engine.store.load(...given);
    });
    await bench.startFold({ store });
    expect(await add(3)).toEqual({ count: 3, total: 3 });
    // The first load, and the look-up.
    expect([sent.length, loads, await bench.sumOf('a')]).toEqual([1, 2, 3]);
  });

  it('is sent again as it was if it was not applied', async () => {
    const sent: Sent = [];
    await bench.startFold({ store: losing(3, { sent, isApplied: false }) });
    expect(await add(3)).toEqual({ count: 3, total: 3 });
    expect(sent).toHaveLength(4);
    for (const again of sent) expect(again).toEqual(sent[0]);
  });

  it('is given up if another processor has committed the same version', async () => {
    const sent: Sent = [];
    const meanwhile = async () => {
      const document = { ...sent[0]?.root.document, state: { sum: 500 } };
      const root = { version: 1, batchId: 'another', applied: { generation: 0, offset: -1 }, document };
      await bench.engine.store.commit(ACCOUNT, 0, { root, put: [], remove: [] });
    };
    await bench.startFold({ store: losing(1, { sent, isApplied: false, meanwhile }) });
    expect(await add(3)).toEqual({ count: 3, total: 503 });
    expect((await bench.rootOf('a'))?.version).toBe(2);
  });

  it('lets nothing behind it be folded or answered before the look-up', async () => {
    const sent: Sent = [];
    const [lookUp, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const store = losing(1, { sent, isApplied: true }, async (...given) => {
      if (sent.length > 0) {
        lookUp.resolve();
        await mayAnswer.promise;
      }
      return await bench.engine.store.load(...given);
    });
    await bench.startFold({ store });
    const answered: string[] = [];
    const first = add(3).then(() => answered.push('first'));
    await lookUp.promise;
    const second = add(4).then(() => answered.push('second'));
    await bench.engine.log.append([bench.record('a', 'report', { name: 'x' })]);
    expect([sent.length, answered]).toEqual([1, []]);
    mayAnswer.resolve();
    await Promise.all([first, second]);
    expect(answered).toEqual(['first', 'second']);
    await settled(async () => expect(await bench.sumOf('a')).toBe(8));
  });

  it('is applied once although its look-ups are used up', async () => {
    const sent: Sent = [];
    await bench.startFold({ store: losing(9, { sent, isApplied: false }) });
    expect(await add(3)).toEqual({ count: 3, total: 3 });
    expect(sent).toHaveLength(10);
  });
});
