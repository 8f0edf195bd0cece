import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, settled } from '../../../infra/testing/accounts.fixture.ts';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import { deadLetterSchema } from '../../../schemas/base/dead-letter.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';
import type { Row } from '../../../topics/ports/store.ts';

const BROKEN = { count: 'many' };

let bench: Bench;
let reasons: string[];

beforeEach(async () => {
  bench = await Bench.open();
  reasons = [];
  await bench.consume({
    group: 'operators',
    topic: 'dead-letters',
    batchRecordsMax: 10,
    open: () => ({
      async handle(records) {
        for (const { value } of records) reasons.push(deadLetterSchema.parse(JSON.parse(value).input).reason);
        return { nextOffset: (records.at(-1)?.offset ?? 0) + 1, pauseMs: 0 };
      },
      idle: async () => 'done' as const,
      async close() {},
    }),
  });
});

afterEach(() => bench.close());

/** Writes the account as another program would: its root and its rows, as they are given. */
async function write(account: string, rows: readonly Row[], root: JsonObject = { sum: 0 }): Promise<void> {
  const ref = { table: 'workspaces', id: account } as const;
  const applied = { generation: 0, offset: -1 };
  const document = { ...EMPTY_ROOT, sequence: 1, state: root };
  // A refusal may be answered before its commit.
  await settled(async () => {
    const held = (await bench.rootOf(account))?.version ?? 0;
    const written = { version: held + 1, batchId: randomUUID(), applied, document };
    const changes = { root: written, put: rows, remove: [] };
    expect(await bench.engine.store.commit(ref, held, changes)).toBe('applied');
  });
}

const counter = (id: string, document: JsonObject = { count: 10 }): Row => ({
  kind: 'counter',
  id,
  document,
});
const add = (account: string, name: string): NewRecord => bench.record(account, 'add', { name, amount: 1 });

async function rowsOf(account: string, kind: string): Promise<Record<string, JsonObject>> {
  const rows = await bench.engine.store.list({ table: 'workspaces', id: account }, kind, { limit: 100 });
  return Object.fromEntries(rows.map(({ id, document }) => [id, document]));
}

/** Sends a record behind all others, so that its answer says that they are handled. */
const untilHandled = (account: string) => bench.send(account, 'glance', {});

const failed = { refusal: { code: 'internal_error' } };

describe('a row that cannot be read', () => {
  const REASON = 'reading a row of kind counter: count: invalid_type';

  it('refuses the commands that want it at the first load and at each later one, with one reason', async () => {
    await write('a', [counter('x', BROKEN), counter('y')]);
    await bench.startFold();
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    expect(await bench.send('a', 'add', { name: 'y', amount: 1 })).toEqual({ count: 11, total: 1 });
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    await settled(async () => expect(reasons).toEqual([REASON, REASON, REASON]));
    expect(await rowsOf('a', 'counter')).toEqual({ x: BROKEN, y: { count: 11 } });
  });

  it.each([
    ['the first row', ['x', 'y', 'z']],
    ['in the middle', ['y', 'x', 'z']],
    ['the last row', ['y', 'z', 'x']],
  ])('leaves its neighbours alone as %s of a read', async (_, names) => {
    await write('a', [counter('x', BROKEN), counter('y'), counter('z')]);
    await bench.engine.log.append([...names, ...names].map((name) => add('a', name)));
    await bench.startFold();
    await untilHandled('a');
    expect(await rowsOf('a', 'counter')).toEqual({ x: BROKEN, y: { count: 12 }, z: { count: 12 } });
    await settled(async () => expect(reasons).toEqual([REASON, REASON]));
  });

  it('leaves its neighbours alone in a read for an aggregate in the cache', async () => {
    await write('a', [counter('w'), counter('x', BROKEN), counter('y'), counter('z')]);
    await bench.startFold();
    await bench.send('a', 'add', { name: 'w', amount: 1 });
    await bench.engine.log.append(['y', 'x', 'z', 'x', 'y'].map((name) => add('a', name)));
    await untilHandled('a');
    const counts = { w: { count: 11 }, x: BROKEN, y: { count: 12 }, z: { count: 11 } };
    expect(await rowsOf('a', 'counter')).toEqual(counts);
    await settled(async () => expect(reasons).toEqual([REASON, REASON]));
  });

  it('refuses a command that names it and would write it without a look at it', async () => {
    await write('a', [counter('x0', BROKEN)]);
    await bench.engine.log.append([
      add('a', 'x0'),
      bench.record('a', 'fill', { prefix: 'x', rows: 2, remove: false }),
    ]);
    await bench.startFold();
    await untilHandled('a');
    expect(await rowsOf('a', 'counter')).toEqual({ x0: BROKEN });
    expect(await bench.sumOf('a')).toBe(0);
  });

  it('counts again once it can be read', async () => {
    await write('a', [counter('x', BROKEN)]);
    await bench.startFold();
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    await write('a', [counter('x')]);
    expect(await bench.send('a', 'add', { name: 'x', amount: 1 })).toEqual({ count: 11, total: 1 });
  });
});

describe("a row of the runtime's own that cannot be read", () => {
  it('does not let a repeat be folded a second time', async () => {
    await bench.startFold();
    await bench.send('a', 'add', { name: 'x', amount: 1 }, 'k1');
    const [id] = Object.keys(await rowsOf('a', 'outcome'));
    await write('a', [counter('x'), { kind: 'outcome', id: id ?? '', document: { at: 'once' } }]);
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 }, 'k1')).rejects.toMatchObject(failed);
    expect(await bench.send('a', 'add', { name: 'x', amount: 1 }, 'k2')).toEqual({ count: 11, total: 1 });
  });

  it('is not lost as the list of the keys of an entity', async () => {
    const list = { kind: 'entity-keys', id: 'counter/x', document: { outcomes: 'all' } };
    await write('a', [list, counter('x'), counter('y')]);
    await bench.startFold();
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 }, 'k1')).rejects.toMatchObject(failed);
    await bench.send('a', 'add', { name: 'y', amount: 1 }, 'k2');
    expect((await rowsOf('a', 'entity-keys'))['counter/x']).toEqual({ outcomes: 'all' });
    expect(await rowsOf('a', 'counter')).toEqual({ x: { count: 10 }, y: { count: 11 } });
  });

  it('is no obstacle to a removal as the list of the keys of its entity', async () => {
    const list = { kind: 'entity-keys', id: 'counter/x', document: { outcomes: 'all' } };
    await write('a', [list, counter('x')]);
    await bench.startFold();
    expect(await bench.send('a', 'drop', { name: 'x' })).toEqual({});
    expect([await rowsOf('a', 'counter'), await rowsOf('a', 'entity-keys')]).toEqual([{}, {}]);
  });

  it('leaves the waiters of other outcomes alone as a slot of the ring', async () => {
    const slots = ['00', '01'].map((id) => ({ kind: 'recent', id, document: { outcome: 'new' } }));
    await write('a', slots);
    await bench.startFold();
    expect(await bench.send('a', 'glance', {})).toEqual({});
    await expect(bench.send('a', 'burst', {})).rejects.toMatchObject(failed);
  });
});

describe('an aggregate whose root cannot be read', () => {
  /** An account in the same partition. */
  function neighbourOf(account: string): string {
    const { partitions } = TOPICS.workspaces;
    const names = Array.from({ length: 1_000 }, (_, index) => `neighbour-${index}`);
    return names.find((name) => partitionOf(name, partitions) === partitionOf(account, partitions)) ?? '';
  }

  it.each([
    ['state', { sum: 'much' }, [], "reading the root's state: sum: invalid_type"],
    [
      'pending effects',
      { sum: 0 },
      [{ kind: 'pending', id: '1', document: { effects: 'some' } }],
      'reading pending effects: effects: invalid_type',
    ],
  ])('refuses its commands and leaves its partition alone (%s)', async (_, root, rows, reason) => {
    await write('a', [...rows, counter('x')], root);
    const before = await bench.rootOf('a');
    await bench.startFold();
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    expect(await bench.send(neighbourOf('a'), 'add', { name: 'x', amount: 3 })).toMatchObject({ total: 3 });
    expect(await bench.rootOf('a')).toEqual(before);
    await settled(async () => expect(reasons).toEqual([reason, reason]));
    expect(await rowsOf('a', 'counter')).toEqual({ x: { count: 10 } });
  });

  it('folds what needs no content beside pending effects, and keeps them until they can be read', async () => {
    const status = {
      kind: 'limiter-status',
      entry: { account: 'a', keyId: 'k', status: 'revoked', version: 1 },
    };
    const pending = { kind: 'pending', id: '1', document: { effects: [status, { kind: 'newer' }] } };
    await write('a', [pending, counter('x'), counter('y')]);
    await bench.startFold();
    const sent = ['x', 'y'].map((name) => bench.send('a', 'drop', { name }));
    await expect(bench.send('a', 'add', { name: 'y', amount: 1 })).rejects.toMatchObject(failed);
    expect(await Promise.all(sent)).toEqual([{}, {}]);
    await expect(bench.send('a', 'add', { name: 'y', amount: 1 })).rejects.toMatchObject(failed);
    expect(await rowsOf('a', 'counter')).toEqual({});
    expect((await rowsOf('a', 'pending'))['1']).toEqual(pending.document);
    await settled(async () => expect(reasons).toHaveLength(2));
    await write('a', [{ ...pending, document: { effects: [status] } }]);
    expect(await bench.send('a', 'add', { name: 'y', amount: 1 })).toEqual({ count: 1, total: 1 });
    await settled(async () => expect((await rowsOf('a', 'pending'))['1']).toBeUndefined());
  });

  it('counts again once it can be read', async () => {
    await write('a', [counter('x')], { sum: 'much' });
    await bench.startFold();
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toMatchObject(failed);
    await write('a', [], { sum: 7 });
    expect(await bench.send('a', 'add', { name: 'x', amount: 1 })).toEqual({ count: 11, total: 8 });
  });
});
