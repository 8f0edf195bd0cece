import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AggregateRef, Changes, ListOptions, Row, RowKey, Store } from '../../../topics/ports/store.ts';
import { type EngineFixture, SUITE, unique } from './engine.fixture.ts';

export interface StoreFixture extends EngineFixture {
  readonly store: Store;
}

/** Describes the tests that every store passes. */
export function describeStoreContract(name: string, open: () => Promise<StoreFixture>): void {
  describe(`${name}: store`, SUITE, () => {
    let engine: StoreFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    const newAggregate = (): AggregateRef => ({ table: 'imports', id: unique('aggregate') });
    const commit = (aggregate: AggregateRef, expectedVersion: number, changes: Partial<Changes> = {}) =>
      engine.store.commit(aggregate, expectedVersion, { ...changesFor(expectedVersion + 1), ...changes });

    it('knows nothing of an aggregate that was never committed', async () => {
      const aggregate = newAggregate();
      const nothing = { root: null, rows: [] };
      expect(await engine.store.load(aggregate, [key('import', 'a')])).toEqual(nothing);
      expect(await engine.store.read(aggregate, [key('import', 'a')])).toEqual(nothing);
      expect(await engine.store.list(aggregate, 'import', { limit: 10 })).toEqual([]);
    });

    it('returns what was committed, to processors and to readers', async () => {
      const aggregate = newAggregate();
      const document = { text: 'ü\u0001"\\', list: [1, 2.5, null, true], nested: { empty: {} } };
      const changes = changesFor(1, { put: [row('import', 'a', document)] });
      expect(await engine.store.commit(aggregate, 0, changes)).toBe('applied');
      const expected = { root: changes.root, rows: [row('import', 'a', document)] };
      expect(await engine.store.load(aggregate, [key('import', 'a'), key('import', 'b')])).toEqual(expected);
      expect(await engine.store.read(aggregate, [key('import', 'a'), key('import', 'b')])).toEqual(expected);
    });

    it('counts versions up, replaces rows and removes them', async () => {
      const aggregate = newAggregate();
      await commit(aggregate, 0, { put: [row('import', 'a', { n: 1 }), row('import', 'b', { n: 1 })] });
      await commit(aggregate, 1, { put: [row('import', 'a', { n: 2 })], remove: [key('import', 'b')] });
      expect(await commit(aggregate, 2, { remove: [key('import', 'never-there')] })).toBe('applied');
      const { root, rows } = await engine.store.read(aggregate, [key('import', 'a'), key('import', 'b')]);
      expect(root).toEqual(changesFor(3).root);
      expect(rows).toEqual([row('import', 'a', { n: 2 })]);
    });

    it.each([
      ['an aggregate that exists, taken for new', 0],
      ['a version that is over', 1],
      ['a version that is still to come', 3],
    ])('refuses as stale %s, and changes nothing', async (_, expectedVersion) => {
      const aggregate = newAggregate();
      await commit(aggregate, 0, { put: [row('import', 'a', { n: 1 })] });
      await commit(aggregate, 1);
      const changes = { put: [row('import', 'c', {})], remove: [key('import', 'a')] };
      expect(await commit(aggregate, expectedVersion, changes)).toBe('stale');
      const { root, rows } = await engine.store.load(aggregate, [key('import', 'a'), key('import', 'c')]);
      expect(root).toEqual(changesFor(2).root);
      expect(rows).toEqual([row('import', 'a', { n: 1 })]);
    });

    it('refuses as stale a version of an aggregate that does not exist', async () => {
      const aggregate = newAggregate();
      expect(await commit(aggregate, 4, { put: [row('import', 'a', {})] })).toBe('stale');
      expect(await engine.store.load(aggregate, [key('import', 'a')])).toEqual({ root: null, rows: [] });
    });

    it('applies exactly one of any number of concurrent commits over one version', async () => {
      const aggregate = newAggregate();
      for (let expectedVersion = 0; expectedVersion < 5; expectedVersion += 1) {
        const names = Array.from({ length: 12 }, (_, index) => `${expectedVersion}-${index}`);
        const answers = await Promise.all(
          names.map((batchId) =>
            commit(aggregate, expectedVersion, {
              root: { ...changesFor(expectedVersion + 1).root, batchId },
              put: [row('import', batchId, {})],
            }),
          ),
        );
        const winners = names.filter((_, index) => answers[index] === 'applied');
        expect(winners).toHaveLength(1);
        const { root, rows } = await engine.store.load(
          aggregate,
          names.map((id) => key('import', id)),
        );
        expect(root).toMatchObject({ version: expectedVersion + 1, batchId: winners[0] });
        expect(rows.map(({ id }) => id)).toEqual(winners);
      }
    });

    it('loads every pending row beside the named ones, each once; a reader gets the named ones only', async () => {
      const aggregate = newAggregate();
      const pending = ['1', '2', '3'].map((id) => row('pending', id, { id }));
      await commit(aggregate, 0, { put: [...pending, row('import', 'a', {}), row('import', 'b', {})] });
      const named = [key('import', 'a'), key('pending', '2')];
      const loaded = await engine.store.load(aggregate, named);
      expect(sorted(loaded.rows)).toEqual(sorted([row('import', 'a', {}), ...pending]));
      const seen = await engine.store.read(aggregate, named);
      expect(sorted(seen.rows)).toEqual(sorted([row('import', 'a', {}), row('pending', '2', { id: '2' })]));
    });

    it('keeps tables, aggregates and kinds apart', async () => {
      const aggregate = newAggregate();
      const sameIdElsewhere: AggregateRef = { table: 'workspaces', id: aggregate.id };
      await commit(aggregate, 0, { put: [row('import', 'a', { here: true }), row('schema', 'a', {})] });
      expect(await engine.store.load(sameIdElsewhere, [key('import', 'a')])).toEqual({
        root: null,
        rows: [],
      });
      expect(await commit(sameIdElsewhere, 0, { remove: [key('import', 'a')] })).toBe('applied');
      expect(await engine.store.list(aggregate, 'import', { limit: 10 })).toEqual([
        row('import', 'a', { here: true }),
      ]);
      expect(await engine.store.list(newAggregate(), 'import', { limit: 10 })).toEqual([]);
    });

    it('is not touched by what the caller does to the documents afterwards', async () => {
      const aggregate = newAggregate();
      const document = { n: 1 };
      const committed = commit(aggregate, 0, { put: [row('import', 'a', document)] });
      document.n = 2;
      await committed;
      const { rows } = await engine.store.read(aggregate, [key('import', 'a')]);
      expect(rows).toEqual([row('import', 'a', { n: 1 })]);
    });

    it('takes 256 rows and 256 KiB in one commit', async () => {
      const aggregate = newAggregate();
      const put = Array.from({ length: 256 }, (_, n) =>
        row('import', `row-${n}`, { text: 'x'.repeat(1_000) }),
      );
      expect(await commit(aggregate, 0, { put })).toBe('applied');
      const { rows } = await engine.store.read(aggregate, put);
      expect(sorted(rows)).toEqual(sorted(put));
    });

    it('lists ids by their bytes, within prefix, position, direction and limit', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(rowId, { maxLength: 25 }), listings, async (ids, options) => {
          const aggregate = newAggregate();
          await commit(aggregate, 0, {
            put: [...ids.map((id) => row('import', id, { id })), row('other', 'a', {})],
          });
          for (const each of options) {
            const listed = await engine.store.list(aggregate, 'import', each);
            expect(listed).toEqual(expectedList(ids, each).map((id) => row('import', id, { id })));
          }
        }),
        { numRuns: 30 },
      );
    });

    it('pages through everything by `after`', async () => {
      const aggregate = newAggregate();
      const ids = Array.from({ length: 23 }, (_, index) => `i:${String(index).padStart(3, '0')}`);
      await commit(aggregate, 0, { put: ids.map((id) => row('import', id, {})) });
      for (const reverse of [false, true]) {
        const seen: string[] = [];
        for (let page = await list(); page.length > 0; page = await list(seen.at(-1))) seen.push(...page);
        expect(seen).toEqual(reverse ? ids.toReversed() : ids);

        async function list(after?: string): Promise<string[]> {
          const position = after === undefined ? {} : { after };
          const options = { prefix: 'i:', limit: 5, reverse, ...position };
          return (await engine.store.list(aggregate, 'import', options)).map(({ id }) => id);
        }
      }
    });

    it('survives a restart', async ({ skip }) => {
      if (engine.reopen === undefined) return skip();
      const aggregate = newAggregate();
      await commit(aggregate, 0, { put: [row('import', 'a', { n: 1 })] });
      await engine.reopen();
      expect(await engine.store.load(aggregate, [key('import', 'a')])).toEqual({
        root: changesFor(1).root,
        rows: [row('import', 'a', { n: 1 })],
      });
      expect(await commit(aggregate, 0)).toBe('stale');
      expect(await commit(aggregate, 1)).toBe('applied');
    });
  });
}

function key(kind: string, id: string): RowKey {
  return { kind, id };
}

function row(kind: string, id: string, document: Row['document']): Row {
  return { kind, id, document };
}

function changesFor(version: number, changes: Partial<Changes> = {}): Changes {
  const root = {
    version,
    batchId: `batch-${version}`,
    applied: { generation: 1, offset: version * 10 },
    document: { version },
  };
  return { root, put: [], remove: [], ...changes };
}

function sorted(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) =>
    Buffer.compare(Buffer.from(nameOf(left)), Buffer.from(nameOf(right))),
  );
}

function nameOf({ kind, id }: Row): string {
  return `${kind}:${id}`;
}

/** Few characters, so that ids share prefixes; among them those whose order differs between UTF-8 and UTF-16. */
const rowId = fc
  .array(fc.constantFrom('a', 'b', ':', '0', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((characters) => characters.join(''));

const listings: fc.Arbitrary<ListOptions[]> = fc.array(
  fc.record(
    {
      prefix: fc.oneof(fc.constant(''), rowId),
      after: rowId,
      reverse: fc.boolean(),
      limit: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: ['limit'] },
  ),
  { minLength: 5, maxLength: 5 },
);

function expectedList(ids: readonly string[], { prefix = '', after, reverse, limit }: ListOptions): string[] {
  const compare = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));
  const ordered = ids.toSorted((left, right) =>
    reverse === true ? compare(right, left) : compare(left, right),
  );
  return ordered
    .filter((id) => id.startsWith(prefix))
    .filter(
      (id) => after === undefined || (reverse === true ? compare(id, after) < 0 : compare(id, after) > 0),
    )
    .slice(0, limit);
}
