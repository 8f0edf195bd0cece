import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCarriedOutcomes } from '../../gateway/http/records/carried-outcomes.ts';
import { Bench, SUM_MAX, settled } from '../../infra/testing/accounts.fixture.ts';
import { carriedOutcomes, carriedResultSchema } from '../../schemas/base/carried.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import type { Changes } from '../../topics/ports/store.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const addition = (name: string, amount: number, key: string) => ({ key, name, amount });
type Addition = ReturnType<typeof addition>;

async function addMany(additions: readonly Addition[], submitter = bench.submitter) {
  const result = await bench.send('a', 'add-many', { additions }, null, submitter);
  return carriedResultSchema.parse(result);
}

const done = (count: number, total: number) => ({ kind: 'done', result: { count, total } });
const refused = (code: string) => ({ kind: 'refused', refusal: { code } });
const account = { table: 'workspaces', id: 'a' } as const;

/** Writes a row past the folds. */
async function write(row: Changes['put'][number]) {
  const root = await bench.rootOf('a');
  if (root === null) throw new Error('writing to an account that is not there');
  const next = { ...root, version: root.version + 1, batchId: '00' };
  await bench.engine.store.commit(account, root.version, { root: next, put: [row], remove: [] });
}

describe('a record that carries commands', () => {
  it('has the outcome of each, in order, with its own key', async () => {
    await bench.startFold();
    const alone = await bench.send('a', 'add', { name: 'x', amount: 1 }, 'k1');
    expect(alone).toEqual({ count: 1, total: 1 });
    const result = await addMany([
      addition('x', 1, 'k1'),
      addition('x', 2, 'k2'),
      addition('x', 9, 'k2'),
      addition('y', SUM_MAX, 'k3'),
      addition('y', 5, 'k4'),
    ]);
    expect(carriedOutcomes(result)).toMatchObject([
      done(1, 1),
      done(3, 3),
      refused('idempotency_conflict'),
      refused('limit_reached'),
      done(5, 8),
    ]);
    expect(await bench.send('a', 'add', { name: 'y', amount: 5 }, 'k4')).toEqual({ count: 5, total: 8 });
    expect(await bench.sumOf('a')).toBe(8);
  });

  it('is one commit, which has the position', async () => {
    const commits: Changes[] = [];
    const { store } = bench.engine;
    const counted = {
      ...{ load: store.load.bind(store), read: store.read.bind(store), list: store.list.bind(store) },
      commit: (...args: Parameters<typeof store.commit>) => {
        commits.push(args[2]);
        return store.commit(...args);
      },
    };
    await bench.startFold({ store: counted });
    await addMany(Array.from({ length: 500 }, (_, index) => addition(`n${index}`, 1, `k${index}`)));
    expect(commits).toHaveLength(1);
    expect(await bench.sumOf('a')).toBe(500);
  });

  it('names a refusal once, however many commands it is for', async () => {
    await bench.startFold();
    const result = await addMany(
      Array.from({ length: 100 }, (_, index) => addition('x', SUM_MAX + 1, `k${index}`)),
    );
    expect(result.results.slice(1)).toEqual(Array(99).fill(0));
    expect(carriedOutcomes(result)).toMatchObject(Array(100).fill(refused('limit_reached')));
  });

  it('is answered from the store if its reply is lost', async () => {
    const lost = { ...bench.engine.replies, publish: async () => undefined };
    await bench.startFold({
      replies: { listen: bench.engine.replies.listen.bind(lost), publish: lost.publish },
    });
    const additions = [addition('x', 1, 'k1'), addition('x', SUM_MAX, 'k2'), addition('x', 2, 'k3')];
    const waiter = await bench.waiter('gateway-2', 600);
    const result = await addMany(additions, waiter);
    await waiter.close();
    expect(result.results).toMatchObject([null, refused('limit_reached'), null]);
    const keys = additions.map(({ key, ...input }) => ({
      ...{ operation: 'accounts.add', key, inputDigest: digestOf(input) },
    }));
    expect(await readCarriedOutcomes(bench.engine.store, account, result, keys)).toMatchObject([
      done(1, 1),
      refused('limit_reached'),
      done(3, 3),
    ]);
    // A result that names an outcome which is gone leaves its caller to ask again.
    const others = keys.map((key) => ({ ...key, key: `other ${key.key}` }));
    await expect(readCarriedOutcomes(bench.engine.store, account, result, others)).rejects.toMatchObject({
      refusal: { code: 'unavailable' },
    });
  });

  it('fails only for the commands whose rows cannot be read, each with its dead letter', async () => {
    await bench.startFold();
    await addMany([addition('x', 1, 'k1'), addition('y', 1, 'k2')]);
    await bench.stopLast();
    await write({ kind: 'counter', id: 'x', document: { count: 'of a newer release' } });
    await write({
      kind: RUNTIME_KINDS.outcome,
      id: 'accounts.add:k4',
      document: { done: 'of a newer release' },
    });
    const letters: string[] = [];
    const { log } = bench.engine;
    await bench.startFold({
      log: {
        consume: log.consume.bind(log),
        async append(records) {
          letters.push(...records.filter(({ topic }) => topic === 'dead-letters').map(({ value }) => value));
          await log.append(records);
        },
      },
    });
    const result = await addMany([
      addition('y', 1, 'k3'),
      addition('x', 1, 'k5'),
      addition('z', 1, 'k4'),
      addition('y', 1, 'k6'),
    ]);
    expect(carriedOutcomes(result)).toMatchObject([
      done(2, 3),
      refused('internal_error'),
      refused('internal_error'),
      done(3, 4),
    ]);
    expect(letters).toHaveLength(2);
    // Each has the form of a record in which the command came alone, so that it can be sent again.
    expect(letters.map((text) => JSON.parse(JSON.parse(text).input.value))).toMatchObject([
      { type: 'add', key: 'k5', replyTo: null, input: { name: 'x', amount: 1 } },
      { type: 'add', key: 'k4', replyTo: null, input: { name: 'z', amount: 1 } },
    ]);
  });

  it('changes nothing if it arrives again, whole or with others', async () => {
    await bench.startFold();
    const additions = Array.from({ length: 20 }, (_, index) => addition(`n${index % 3}`, 1, `k${index}`));
    const first = await addMany(additions);
    const record = bench.record('a', 'add-many', { additions }, { keyFrom: 'request' });
    await bench.engine.log.append([record, record]);
    const again = await addMany([...additions.slice(7), addition('n9', 1, 'new')]);
    expect(again.results.slice(0, 13)).toEqual(first.results.slice(7));
    await settled(async () => expect(await bench.sumOf('a')).toBe(21));
  });

  it('changes nothing after its deadline', async () => {
    const additions = [addition('x', 1, 'k1'), addition('x', 1, 'k2')];
    const late = bench.record('a', 'add-many', { additions }, { keyFrom: 'request', notAfter: 1 });
    await bench.engine.log.append([late, bench.record('a', 'add', { name: 'x', amount: 5 })]);
    await bench.startFold();
    await settled(async () => expect(await bench.sumOf('a')).toBe(5));
  });
});
