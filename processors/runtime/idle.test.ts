import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, settled } from '../../infra/testing/accounts.fixture.ts';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import { TOPICS } from '../../topics/catalogue.ts';
import { partitionOf } from '../../topics/partition.ts';
import type { Store } from '../../topics/ports/store.ts';
import { CLEANED_AT_ONCE_MAX } from './command-handler.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const ACCOUNTS = 200;

/** Accounts of one partition. */
const accounts = Array.from({ length: 100 * ACCOUNTS }, (_, index) => `a${index}`)
  .filter((name) => partitionOf(name, TOPICS.workspaces.partitions) === 0)
  .slice(0, ACCOUNTS);

/** One command for each account, with an effect that leaves a row behind. */
const commands = () => accounts.map((account) => bench.record(account, 'work', { name: 'item' }));

const isTidying = ([, , { put, remove }]: Parameters<Store['commit']>) =>
  put.length === 0 && remove.some(({ kind }) => kind === RUNTIME_KINDS.pending);

/** The store of the engine, whose first tidying commit begins when it is let. Keeps what the commits are for. */
function storeThatWaits() {
  const commits: ('tidy' | 'fold')[] = [];
  const begun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const { store } = bench.engine;
  const waiting: Store = {
    load: (...args) => store.load(...args),
    read: (...args) => store.read(...args),
    list: (...args) => store.list(...args),
    commit: async (...args) => {
      commits.push(isTidying(args) ? 'tidy' : 'fold');
      if (isTidying(args)) {
        begun.resolve();
        await mayEnd.promise;
      }
      return await store.commit(...args);
    },
  };
  return { store: waiting, commits, begun: begun.promise, letEnd: mayEnd.resolve };
}

describe('CommandHandler in quiet times', () => {
  it('tidies up every aggregate', async () => {
    await bench.engine.log.append(commands());
    await bench.startFold();
    await settled(async () => {
      for (const id of accounts) {
        const rows = await bench.engine.store.list({ table: 'workspaces', id }, RUNTIME_KINDS.pending, {
          limit: 1,
        });
        expect(rows).toEqual([]);
        expect((await bench.rootOf(id))?.version).toBe(2);
      }
    });
  });

  it('handles a record after a few commits, however many aggregates are to be tidied up', async () => {
    const { store, commits, begun, letEnd } = storeThatWaits();
    await bench.engine.log.append(commands());
    await bench.startFold({ store });
    await begun;
    const first = commits.indexOf('tidy');
    await bench.engine.log.append([bench.record(accounts[0] as string, 'add', { name: 'x', amount: 1 })]);
    letEnd();
    await settled(async () => expect(commits.indexOf('fold', first)).toBeGreaterThan(first));
    expect(commits.indexOf('fold', first) - first).toBeLessThanOrEqual(CLEANED_AT_ONCE_MAX);
  });

  it('stops after a few commits', async () => {
    const { store, commits, begun, letEnd } = storeThatWaits();
    await bench.engine.log.append(commands());
    await bench.startFold({ store });
    await begun;
    const stopped = bench.stopLast();
    letEnd();
    await stopped;
    const tidied = commits.filter((one) => one === 'tidy').length;
    expect(tidied).toBeGreaterThan(0);
    expect(tidied).toBeLessThanOrEqual(CLEANED_AT_ONCE_MAX);
  });
});
