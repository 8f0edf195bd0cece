import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord, Subscription } from '../../../topics/ports/log.ts';
import type { AggregateRef, Root, Row } from '../../../topics/ports/store.ts';
import { asOfVersion } from './earlier-version.fixture.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { EmbeddedEngineUnderTest } from './under-test.ts';

const EARLIER = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1);

const AGGREGATES: readonly AggregateRef[] = [
  { table: 'imports', id: 'b' },
  { table: 'imports', id: 'a' },
  { table: 'activate', id: 'a' },
];

function rootOf({ table, id }: AggregateRef, version: number): Root {
  const applied = { generation: 1, offset: version * 7 };
  return { version, batchId: `batch-${version}`, applied, document: { table, id, version } };
}

function rowsOf({ table, id }: AggregateRef): Row[] {
  return ['1', '2', '10'].map((number) => ({ kind: 'kind', id: number, document: { table, id, number } }));
}

describe('a data folder of an earlier version', () => {
  let engine: EmbeddedEngineUnderTest;
  beforeEach(async () => {
    engine = await EmbeddedEngineUnderTest.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  it.each(EARLIER)('keeps its aggregates, which go on from their versions (version %i)', async (version) => {
    for (const aggregate of AGGREGATES) {
      const changes = { root: rootOf(aggregate, 1), put: rowsOf(aggregate), remove: [] };
      expect(await engine.store.commit(aggregate, 0, changes)).toBe('applied');
    }
    await engine.reopenAfter((database) => asOfVersion(database, version));
    for (const aggregate of AGGREGATES) {
      const [first, second, tenth] = rowsOf(aggregate) as [Row, Row, Row];
      const named = [first, tenth, { kind: 'kind', id: 'none' }];
      expect(await engine.store.load(aggregate, named)).toEqual({
        root: rootOf(aggregate, 1),
        rows: [first, tenth],
      });
      expect(await engine.store.list(aggregate, 'kind', { limit: 9 })).toEqual([first, tenth, second]);
      const changes = { root: rootOf(aggregate, 2), put: [], remove: [second] };
      expect(await engine.store.commit(aggregate, 1, changes)).toBe('applied');
      expect(await engine.store.commit(aggregate, 1, changes)).toBe('stale');
      expect(await engine.store.list(aggregate, 'kind', { limit: 9 })).toEqual([first, tenth]);
    }
  });

  it.each(EARLIER)('keeps its log, and how far it was handled (version %i)', async (version) => {
    const seen: LogRecord[] = [];
    const subscription: Subscription = {
      group: 'group',
      topic: 'imports',
      batchRecordsMax: 10,
      open: () => ({
        handle: async (records) => {
          seen.push(...records);
          return { nextOffset: (records.at(-1)?.offset ?? 0) + 1, pauseMs: 0 };
        },
        idle: async () => 'done' as const,
        close: async () => {},
      }),
    };
    const append = (...values: string[]) =>
      engine.log.append(values.map((value) => ({ topic: 'imports', key: 'key', value })));
    await append('a', 'b');
    const consumer = await engine.log.consume(subscription);
    await expect.poll(() => seen.length).toBe(2);
    await consumer.stop();
    await append('c');
    await engine.reopenAfter((database) => asOfVersion(database, version));
    await append('d');
    const next = await engine.log.consume(subscription);
    await expect
      .poll(() => seen.map(({ offset, value }) => `${offset} ${value}`))
      .toEqual(['0 a', '1 b', '2 c', '3 d']);
    await next.stop();
  });
});
