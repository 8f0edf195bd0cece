import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accounts, Bench, settled } from '../../infra/testing/accounts.fixture.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Log } from '../../topics/ports/log.ts';
import type { Store } from '../../topics/ports/store.ts';
import { BATCH_COMMANDS_MAX, foldSubscription } from './command-handler.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const COMMANDS = 50;

/** A number of commands of one account, each with its counter and key. */
function additions(account: string, first = 0, amount = 1) {
  return Array.from({ length: COMMANDS }, (_, index) =>
    bench.record(account, 'add', { name: `n${first + index}`, amount }),
  );
}

/** The store of the engine, and how often it is asked. */
function countedStore() {
  const asked = { load: 0, read: 0, commit: 0 };
  const { store } = bench.engine;
  const counted: Store = {
    load: (...args) => {
      asked.load += 1;
      return store.load(...args);
    },
    read: (...args) => {
      asked.read += 1;
      return store.read(...args);
    },
    commit: (...args) => {
      asked.commit += 1;
      return store.commit(...args);
    },
    list: (...args) => store.list(...args),
  };
  return { asked, store: counted };
}

/** Begins to fold a new aggregate with one command, and counts what the store is asked. */
async function startedWith(key: string) {
  const { asked, store } = countedStore();
  await bench.startFold({ store });
  const outcome = await bench.send('a', 'add', { name: 'y', amount: 2 }, key);
  return { asked, outcome };
}

describe('a batch', () => {
  it('of an aggregate that is there is looked up in two rounds, and committed once', async () => {
    await bench.engine.log.append([bench.record('a', 'add', { name: 'x', amount: 1 })]);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(1));
    await bench.stopLast();
    await bench.engine.log.append(additions('a'));
    const { asked, store } = countedStore();
    await bench.startFold({ store });
    await settled(async () => expect(await bench.sumOf('a')).toBe(1 + COMMANDS));
    // What the commands name comes with the first load; the keys of the entities are known to be wanted only then.
    expect(asked).toEqual({ load: 1, read: 1, commit: 1 });
  });

  it('of an aggregate that begins with it is looked up no more, nor are those behind it', async () => {
    const { asked, store } = countedStore();
    await bench.engine.log.append(additions('a'));
    await bench.startFold({ store });
    await settled(async () => expect(await bench.sumOf('a')).toBe(COMMANDS));
    await bench.engine.log.append(additions('a', COMMANDS));
    await settled(async () => expect(await bench.sumOf('a')).toBe(2 * COMMANDS));
    expect(asked).toMatchObject({ load: 1, read: 0 });
  });

  it('knows what an aggregate lacks although it has let its rows go, and reads again what it has', async () => {
    const first = await startedWith('k1');
    // More rows than are held: a counter and an outcome each.
    const many = Array.from({ length: 60 }, (_, index) => additions('a', index * COMMANDS, 0)).flat();
    await bench.engine.log.append([...many, bench.record('a', 'add', { name: 'last', amount: 1 })]);
    await settled(async () => expect(await bench.sumOf('a')).toBe(3));
    await bench.engine.log.append(additions('a', many.length));
    await settled(async () => expect(await bench.sumOf('a')).toBe(3 + COMMANDS));
    // One name in some ten thousands is mistaken for one that may exist.
    expect(first.asked.load).toBe(1);
    expect(first.asked.read).toBeLessThanOrEqual(2);
    expect(await bench.send('a', 'add', { name: 'y', amount: 2 }, 'k1')).toEqual(first.outcome);
    expect(await bench.send('a', 'add', { name: 'y', amount: 1 })).toEqual({ count: 3, total: 54 });
    expect(await bench.sumOf('a')).toBe(4 + COMMANDS);
    expect(first.asked.load).toBe(1);
  });

  it('finds a repeated key also when the aggregate was loaded, folded further and let its outcome go', async () => {
    await bench.engine.log.append([bench.record('a', 'add', { name: 'x', amount: 1 })]);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(1));
    await bench.stopLast();
    await bench.startFold();
    const first = await bench.send('a', 'add', { name: 'y', amount: 2 }, 'k1');
    await bench.send('a', 'add', { name: 'z', amount: 3 }, 'k2');
    expect(await bench.send('a', 'add', { name: 'y', amount: 2 }, 'k1')).toEqual(first);
    expect(await bench.sumOf('a')).toBe(6);
  });

  it.each([
    ['is told to those who wait', 0, 1],
    ['is published to no waiter that has given up', 60 * SECOND_MS, 0],
  ])('%s', async (_, laterMs, expected) => {
    const told: string[] = [];
    const { replies } = bench.engine;
    const counted = {
      listen: replies.listen.bind(replies),
      publish: async (address: string) => void told.push(address),
    };
    const notAfter = Date.now() + SECOND_MS;
    const clock = { now: () => Date.now() + laterMs };
    await bench.engine.log.append([
      bench.record('a', 'add', { name: 'x', amount: 1 }, { replyTo: 'gateway-2', notAfter }),
      // A follow-up has no `notAfter`: a request may wait for it in any case.
      bench.record('a', 'add', { name: 'y', amount: 1 }, { replyTo: 'gateway-3', notAfter: null }),
    ]);
    await bench.startFold({ replies: counted, clock });
    await settled(async () => expect(told).toContain('gateway-3'));
    expect(told.filter((address) => address === 'gateway-2')).toHaveLength(expected);
  });

  it('is the last one before a stop, although the delivery is not at its end', async () => {
    const { asked, store } = countedStore();
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const held: Store = {
      ...store,
      commit: async (...args) => {
        begun.resolve();
        await mayEnd.promise;
        return await store.commit(...args);
      },
    };
    const records = Array.from({ length: 12 }, (_, index) => additions('a', index * COMMANDS)).flat();
    await bench.engine.log.append(records);
    await bench.startFold({ store: held });
    await begun.promise;
    const stopped = bench.stopLast();
    mayEnd.resolve();
    await stopped;
    expect(asked.commit).toBe(1);
    expect(await bench.sumOf('a')).toBe(BATCH_COMMANDS_MAX);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(records.length));
  });

  it('that was folded before is looked up at once, and only for those who may still wait', async () => {
    const notAfter = Date.now() - 60 * SECOND_MS;
    const count = BATCH_COMMANDS_MAX + COMMANDS;
    const waiting = Array.from({ length: count }, (_, index) =>
      bench.record('a', 'add', { name: `n${index}`, amount: 1 }, { replyTo: 'gateway-2' }),
    );
    const late = bench.record('a', 'add', { name: 'late', amount: 1 }, { replyTo: 'gateway-3', notAfter });
    await bench.engine.log.append([...waiting, late]);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(count));
    await bench.stopLast();
    const { asked, store } = countedStore();
    const told: string[] = [];
    const replies = {
      listen: bench.engine.replies.listen.bind(bench.engine.replies),
      publish: async (address: string) => void told.push(address),
    };
    // Another group begins at the first record, as a process does whose offsets were not committed.
    const dependencies = bench.dependencies({ store, replies });
    await bench.consume({ ...foldSubscription(accounts, dependencies), group: 'again' });
    await settled(async () => expect(told).toHaveLength(count));
    expect(told).not.toContain('gateway-3');
    // The ring for the first batch, and the outcomes for the second.
    expect(asked).toEqual({ load: 1, read: 2, commit: 0 });
  });

  it('with a record that cannot be read waits for the dead letters instead of standing still', async () => {
    let failures = 1;
    const { log } = bench.engine;
    const failing: Log = {
      append: async (records) => {
        if (failures > 0) {
          failures -= 1;
          throw new EngineUnavailableError('log');
        }
        await log.append(records);
      },
      consume: (subscription) => log.consume(subscription),
    };
    await log.append([
      { topic: 'workspaces', key: 'a', value: 'no JSON' },
      bench.record('a', 'add', { name: 'x', amount: 1 }),
    ]);
    await bench.startFold({ log: failing });
    await settled(async () => expect(await bench.sumOf('a')).toBe(1));
    expect(failures).toBe(0);
  });
});
