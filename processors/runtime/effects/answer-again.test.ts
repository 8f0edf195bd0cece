import { afterEach, beforeEach, expect, it } from 'vitest';
import { Bench } from '../../../infra/testing/accounts.fixture.ts';
import { outcomeDocument, storedOutcomeSchema } from '../../../schemas/base/outcome.ts';
import type { AggregateRef } from '../../../topics/ports/store.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const PAYEE: AggregateRef = { table: 'workspaces', id: 'b' };
const PENDING = { kind: 'pending', id: '000000000001' };

/** Leaves the outcome of the payee as a process does that ended before it could sweep up what it had carried out. */
async function leaveEffectsPending(): Promise<void> {
  const { store } = bench.engine;
  const [outcome] = await store.list(PAYEE, 'outcome', { limit: 1 });
  const { root } = await store.load(PAYEE, []);
  if (outcome === undefined || root === null) throw new Error('reading the outcome of the payee');
  const stored = storedOutcomeSchema.parse(outcome.document);
  await store.commit(PAYEE, root.version, {
    root: { ...root, version: root.version + 1, batchId: 'of the process that ended' },
    put: [
      { ...PENDING, document: { effects: [] } },
      { ...outcome, document: outcomeDocument({ ...stored, pending: PENDING.id }) },
    ],
    remove: [],
  });
}

it('a repeat is answered although what decided it waits for its effects since a process ended', async () => {
  await bench.startFold();
  const first = await bench.send('a', 'transfer', { to: 'b', amount: 40 }, 'k1');
  await leaveEffectsPending();
  expect(await bench.send('a', 'transfer', { to: 'b', amount: 40 }, 'k1')).toEqual(first);
  expect(await bench.sumOf('b')).toBe(40);
});
