import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedOutcomeSchema } from '../../schemas/base/outcome.ts';
import type { AggregateRef } from '../../topics/ports/store.ts';
import { Bench } from './accounts.fixture.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const ACCOUNT: AggregateRef = { table: 'workspaces', id: 'a' };

/** Writes what is remembered as a program did that knew no closer form. */
async function writePlainly(): Promise<void> {
  const { store } = bench.engine;
  const outcomes = await store.list(ACCOUNT, 'outcome', { limit: 10 });
  const { root } = await store.load(ACCOUNT, []);
  if (root === null) throw new Error('reading an account that is not there');
  const put = outcomes.map((row) => ({ ...row, document: storedOutcomeSchema.parse(row.document) }));
  expect(put.map(({ document }) => document.outcome.kind)).toEqual(['done']);
  const version = root.version + 1;
  await store.commit(ACCOUNT, root.version, { root: { ...root, version }, put, remove: [] });
}

it('what an earlier version remembered answers a repeat, and conflicts with other input', async () => {
  await bench.startFold();
  const first = await bench.send('a', 'add', { name: 'x', amount: 2 }, 'k1');
  await bench.stopLast();
  await writePlainly();
  await bench.startFold();
  expect(await bench.send('a', 'add', { name: 'x', amount: 2 }, 'k1')).toEqual(first);
  await expect(bench.send('a', 'add', { name: 'x', amount: 3 }, 'k1')).rejects.toMatchObject({
    refusal: { code: 'idempotency_conflict' },
  });
  expect(await bench.sumOf('a')).toBe(2);
});
