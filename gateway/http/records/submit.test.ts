import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../../infra/testing/accounts.fixture.ts';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import { type Outcome, outcomeDocument } from '../../../schemas/base/outcome.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { openSubmitter } from './submit.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const NOT_KNOWN = { status: 'rejected', reason: { refusal: { code: 'unavailable' } } };

/** Stores an outcome in an account that no processor folds. */
async function remember(account: string, id: string, input: object, outcome: Outcome): Promise<void> {
  const row = outcomeDocument({ inputDigest: digestOf(input), entity: null, at: 1, outcome });
  const root = {
    version: 1,
    batchId: 'b',
    applied: { generation: 1, offset: 0 },
    document: { ...EMPTY_ROOT },
  };
  await bench.engine.store.commit({ table: 'workspaces', id: account }, 0, {
    root,
    put: [{ kind: 'outcome', id, document: row }],
    remove: [],
  });
}

describe('a waiter', () => {
  it('finds the outcome in the store when the reply is lost', async () => {
    const lossy = {
      publish: async () => {
        throw new EngineUnavailableError('replies');
      },
      listen: bench.engine.replies.listen.bind(bench.engine.replies),
    };
    await bench.startFold({ replies: lossy });
    const brief = await bench.waiter('gateway-2', 2_000);
    const add = { name: 'x', amount: 3 };
    expect(await bench.send('a', 'add', add, null, brief)).toEqual({ count: 3, total: 3 });
    expect(await bench.send('a', 'transfer', { to: 'b', amount: 1 }, null, brief)).toEqual({ received: 1 });
    await brief.close();
  });

  it('hears of nothing that is not done yet, although its outcome is in the store', async () => {
    const released = Promise.withResolvers<void>();
    const { log } = bench.engine;
    const append: typeof log.append = async (records) => {
      await released.promise;
      return await log.append(records);
    };
    await bench.startFold({ log: { append, consume: log.consume.bind(log) } });
    const brief = await bench.waiter('gateway-2', 400);
    await expect(bench.send('a', 'work', { name: 'x' }, 'k1', brief)).rejects.toMatchObject({
      refusal: { code: 'unavailable' },
    });
    released.resolve();
    expect(await bench.send('a', 'work', { name: 'x' }, 'k1')).toEqual({});
    await brief.close();
  });

  it('is answered with 503 if no processor folds, and the same key converges afterwards', async () => {
    const brief = await bench.waiter('gateway-2', 100);
    const add = { name: 'x', amount: 3 };
    await expect(bench.send('a', 'add', add, 'k1', brief)).rejects.toMatchObject({
      refusal: { code: 'unavailable', retryAfterSeconds: 1 },
    });
    await brief.close();
    await bench.startFold();
    expect(await bench.send('a', 'add', add, 'k1')).toEqual({ count: 3, total: 3 });
    expect(await bench.sumOf('a')).toBe(3);
  });

  it('is told 503 at the deadline by a log that does not answer', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const deadlineMs = 200;
    const waiter = await openSubmitter({
      ...bench.engine,
      log: { append: () => never },
      clock: { now: () => Date.now() },
      address: 'gateway-2',
      deadlineMs,
    });
    const begun = performance.now();
    await expect(bench.send('a', 'add', { name: 'x', amount: 3 }, 'k1', waiter)).rejects.toMatchObject({
      refusal: { code: 'unavailable', retryAfterSeconds: 1 },
    });
    // Ten times the bound: a busy machine may be late, an endless wait is what this is about.
    expect(performance.now() - begun).toBeLessThan(deadlineMs * 10);
    await waiter.close();
  });

  it('keeps why the store could not be read as the cause of its 503', async () => {
    const down = new EngineUnavailableError('store');
    const waiter = await openSubmitter({
      ...bench.engine,
      store: { ...bench.engine.store, read: () => Promise.reject(down) },
      log: { append: async () => {} },
      clock: { now: () => Date.now() },
      address: 'gateway-2',
      deadlineMs: 200,
    });
    await expect(bench.send('a', 'add', { name: 'x', amount: 3 }, 'k1', waiter)).rejects.toMatchObject({
      refusal: { code: 'unavailable' },
      cause: down,
    });
    await waiter.close();
  });

  it.each<[string, Outcome, object]>([
    [
      'is not refused what',
      {
        kind: 'refused',
        refusal: refusal('limit_reached', { at: 'plan', seen: 'all used', expected: 'some left' }),
      },
      NOT_KNOWN,
    ],
    [
      'is told what',
      { kind: 'done', result: { received: 1 } },
      { status: 'fulfilled', value: { received: 1 } },
    ],
  ])('%s an earlier request with its key was, before it is folded itself', async (_, outcome, answer) => {
    const input = { to: 'b', amount: 1 };
    const at = { table: 'workspaces', aggregate: 'b', operation: 'receive', key: 'derived' };
    await remember('a', 'accounts.transfer:k1', input, { kind: 'deferred', at });
    await remember('b', 'receive:derived', { amount: 1 }, outcome);
    const brief = await bench.waiter('gateway-2', 400);
    const [result] = await Promise.allSettled([bench.send('a', 'transfer', input, 'k1', brief)]);
    expect(result).toMatchObject(answer);
    await brief.close();
  });

  it('takes no earlier answer where a repeat is decided again, and finds its own without a reply', async () => {
    const replies = {
      publish: () => Promise.reject(new EngineUnavailableError('replies')),
      listen: bench.engine.replies.listen.bind(bench.engine.replies),
    };
    await bench.startFold({ replies });
    const brief = await bench.waiter('gateway-2', 1_500);
    expect(await bench.send('a', 'create', {}, 'k1', brief)).toEqual({});
    expect(await bench.send('a', 'create', {}, 'k1', brief)).toEqual({});
    await bench.send('a', 'add', { name: 'x', amount: 1 }, null, brief);
    await expect(bench.send('a', 'create', {}, 'k1', brief)).rejects.toMatchObject({
      refusal: { code: 'state_conflict' },
    });
    await bench.stopLast();
    await expect(bench.send('a', 'create', {}, 'k1', brief)).rejects.toMatchObject(NOT_KNOWN.reason);
    await brief.close();
  });

  it('has a share for each caller of what is in flight, counted in bytes', async () => {
    const small = await bench.waiter('gateway-3', 300, 4);
    const one = (account: string, name = 'x') => bench.send(account, 'add', { name, amount: 1 }, null, small);
    const results = await Promise.allSettled([
      one('a'),
      one('a'),
      one('a'),
      one('b', 'x'.repeat(20_000)),
      one('b'),
      one('c'),
    ]);
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.refusal.code : null));
    // The outcome of what was sent is not known: nothing folds.
    expect(codes).toEqual([
      ...['unavailable', 'unavailable', 'rate_limited'],
      ...['unavailable', 'rate_limited', 'unavailable'],
    ]);
    expect(results.at(-1)).toMatchObject({ reason: { message: expect.stringContaining('Too many') } });
    await small.close();
  });
});
