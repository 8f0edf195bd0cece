import { type Client, types } from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AggregateRef, Changes, Row, RowKey } from '../../../topics/ports/store.ts';
import { unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { CassandraEngineFixture } from './cassandra-engine.fixture.ts';
import { createClient } from './driver.ts';
import { openCassandraEngine } from './engine.ts';

describe('CassandraStore', () => {
  let engine: CassandraEngineFixture;
  let client: Client;
  beforeAll(async () => {
    engine = await CassandraEngineFixture.open();
    client = createClient(engine.options);
    await client.connect();
  });
  afterAll(async () => {
    await client.shutdown();
    await engine.close();
  });

  const newAggregate = (): AggregateRef => ({ table: 'imports', id: unique('aggregate') });
  const commit = (aggregate: AggregateRef, held: number, changes: Partial<Changes> = {}) =>
    engine.store.commit(aggregate, held, { ...changesFor(held + 1), ...changes });
  const pendingIds = async (aggregate: AggregateRef) => {
    const { rows } = await engine.store.load(aggregate, []);
    return rows.map(({ id }) => id).sort();
  };

  it('applies one of two commits of two processes over one version', async () => {
    const aggregate = newAggregate();
    await commit(aggregate, 0);
    const zombie = await openCassandraEngine(engine.options, engine.clock);
    const rounds = 20;
    for (let held = 1; held <= rounds; held += 1) {
      const [ours, theirs] = await Promise.all([
        commit(aggregate, held, { put: [row('import', 'row', { by: 'us' })] }),
        zombie.store.commit(aggregate, held, {
          ...changesFor(held + 1),
          put: [row('import', 'row', { by: 'them' })],
        }),
      ]);
      expect([ours, theirs].sort()).toEqual(['applied', 'stale']);
      const { root, rows } = await engine.store.load(aggregate, [key('import', 'row')]);
      expect(root?.version).toBe(held + 1);
      expect(rows[0]?.document).toEqual({ by: ours === 'applied' ? 'us' : 'them' });
    }
    await zombie.close();
  });

  it('keeps the pending rows that a commit does not remove', async () => {
    const aggregate = newAggregate();
    await commit(aggregate, 0, { put: ['a', 'b', 'c'].map((id) => row('pending', id, { id })) });
    expect(await commit(aggregate, 1, { remove: [key('pending', 'b')] })).toBe('applied');
    expect(await pendingIds(aggregate)).toEqual(['a', 'c']);
    expect(await commit(aggregate, 2, { put: [row('pending', 'd', {})] })).toBe('applied');
    expect(await pendingIds(aggregate)).toEqual(['a', 'c', 'd']);
    expect(await commit(aggregate, 3, { put: [row('pending', 'a', { again: true })] })).toBe('applied');
    const { rows } = await engine.store.read(aggregate, [key('pending', 'a')]);
    expect(rows).toEqual([row('pending', 'a', { again: true })]);
    expect(await commit(aggregate, 4, { remove: ['a', 'c', 'd', 'x'].map((id) => key('pending', id)) })).toBe(
      'applied',
    );
    expect(await pendingIds(aggregate)).toEqual([]);
  });

  it('returns stale for a commit that also expects other pending rows', async () => {
    const aggregate = newAggregate();
    await commit(aggregate, 0, { put: [row('pending', 'a', {})] });
    await commit(aggregate, 1);
    expect(await commit(aggregate, 1, { put: [row('pending', 'b', {})] })).toBe('stale');
    expect(await commit(aggregate, 0, { remove: [key('pending', 'a')] })).toBe('stale');
    expect(await pendingIds(aggregate)).toEqual(['a']);
  });

  it('lists pending rows like other rows', async () => {
    const aggregate = newAggregate();
    await commit(aggregate, 0, {
      put: ['a1', 'a2', 'a3', 'b1', '\uffff', '\u{10000}'].map((id) => row('pending', id, { id })),
    });
    const list = async (options: { prefix?: string; after?: string; reverse?: boolean; limit: number }) =>
      (await engine.store.list(aggregate, 'pending', options)).map(({ id }) => id);
    expect(await list({ limit: 10 })).toEqual(['a1', 'a2', 'a3', 'b1', '\uffff', '\u{10000}']);
    expect(await list({ prefix: 'a', after: 'a1', limit: 1 })).toEqual(['a2']);
    expect(await list({ after: 'b1', reverse: true, limit: 2 })).toEqual(['a3', 'a2']);
  });

  it('leaves no tombstones of pending rows', async () => {
    const aggregate = newAggregate();
    await commit(aggregate, 0, { put: [row('import', 'a', {})] });
    const rounds = 300;
    for (let held = 1; held <= rounds; held += 1) {
      const pendingOf = (version: number) => String(version).padStart(12, '0');
      const remove = held === 1 ? [] : [key('pending', pendingOf(held - 1))];
      expect(
        await commit(aggregate, held, { put: [row('pending', pendingOf(held), { held })], remove }),
      ).toBe('applied');
    }
    expect(await pendingIds(aggregate)).toHaveLength(1);
    expect(await tombstonesRead(aggregate, [key('', ''), key('', 'pending'), key('import', 'a')])).toBe(0);
    await commit(aggregate, rounds + 1, { remove: [key('import', 'a')] });
    // Proves that the measure counts the tombstone of a deletion.
    expect(await tombstonesRead(aggregate, [key('import', 'a')])).toBeGreaterThan(0);
  });

  it('commits 256 commands with large documents, and loads hundreds of rows at once', async () => {
    const aggregate = newAggregate();
    const put = Array.from({ length: 256 }, (_, n) => [
      row('import', `row-${n}`, { text: 'x'.repeat(1_024) }),
      row('outcome', `outcome-${n}`, { text: 'y'.repeat(1_024) }),
      row('pending', String(n).padStart(12, '0'), { text: 'z'.repeat(1_024) }),
    ]).flat();
    expect(await commit(aggregate, 0, { put })).toBe('applied');
    const { root, rows } = await engine.store.load(aggregate, put);
    expect(root).toEqual(changesFor(1).root);
    expect(rows).toHaveLength(put.length);
    expect(rows).toEqual(expect.arrayContaining(put));
    expect(await commit(aggregate, 1, { remove: put })).toBe('applied');
    expect((await engine.store.load(aggregate, put)).rows).toEqual([]);
  });

  it('never shows half of a commit', async () => {
    const aggregate = newAggregate();
    const names = Array.from({ length: 20 }, (_, index) => key('import', `row-${index}`));
    const put = (held: number) => names.map(({ kind, id }) => row(kind, id, { version: held + 1 }));
    await commit(aggregate, 0, { put: put(0) });
    const rounds = 40;
    let done = false;
    const reading = (async () => {
      let seen = 0;
      while (!done) {
        for (const read of [engine.store.load(aggregate, names), engine.store.read(aggregate, names)]) {
          const { root, rows } = await read;
          expect(new Set(rows.map(({ document }) => document['version']))).toEqual(new Set([root?.version]));
          seen += 1;
        }
      }
      return seen;
    })();
    for (let held = 1; held <= rounds; held += 1) await commit(aggregate, held, { put: put(held) });
    done = true;
    expect(await reading).toBeGreaterThan(0);
  });

  it('rejects incoherent changes, and changes nothing', async () => {
    const aggregate = newAggregate();
    const one = row('kind', 'id', {});
    await expect(engine.store.commit(aggregate, 0, changesFor(2))).rejects.toThrow(RangeError);
    await expect(commit(aggregate, 0, { put: [one], remove: [one] })).rejects.toThrow(RangeError);
    await expect(commit(aggregate, 0, { put: [row('', '', {})] })).rejects.toThrow(RangeError);
    await expect(engine.store.list(aggregate, 'kind', { limit: 0 })).rejects.toThrow(RangeError);
    expect(await engine.store.load(aggregate, [one])).toEqual({ root: null, rows: [] });
  });

  /** Returns the number of tombstones that a read of these rows passes, from the server's own trace. */
  async function tombstonesRead({ table, id }: AggregateRef, keys: readonly RowKey[]): Promise<number> {
    const query = `SELECT document FROM ${engine.options.keyspace}.${table} WHERE aggregate = ? AND (kind, id) IN ?`;
    const params = [id, keys.map((each) => new types.Tuple(each.kind, each.id))];
    const { info } = await client.execute(query, params, { traceQuery: true });
    const events = await vi.waitFor(async () => {
      const trace = await client.metadata.getTrace(info.traceId);
      const activities = trace.events.map(({ activity }) => String(activity));
      expect(activities.join('\n')).toMatch(/tombstone/);
      return activities;
    }, WAIT);
    return events.reduce((sum, activity) => sum + Number(/(\d+) tombstone/.exec(activity)?.[1] ?? 0), 0);
  }
});

function key(kind: string, id: string): RowKey {
  return { kind, id };
}

function row(kind: string, id: string, document: Row['document']): Row {
  return { kind, id, document };
}

function changesFor(version: number): Changes {
  const root = {
    version,
    batchId: `batch-${version}`,
    applied: { generation: 1, offset: version },
    document: { version },
  };
  return { root, put: [], remove: [] };
}
