import type { Client } from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import type { IndexKey } from '../../../topics/ports/digest-index.ts';
import { unique } from '../../testing/contracts/engine.fixture.ts';
import { CassandraEngineFixture } from './cassandra-engine.fixture.ts';
import { createClient } from './driver.ts';

describe('CassandraDigestIndex', () => {
  let engine: CassandraEngineFixture;
  let client: Client;
  beforeAll(async () => {
    engine = await CassandraEngineFixture.open();
    client = createClient(engine.options);
  });
  afterAll(async () => {
    await client.shutdown();
    await engine.close();
  });

  const newKey = (): IndexKey => ({ kind: 'credential', digest: unique('digest') });
  const lifeOf = async ({ kind, digest }: IndexKey) => {
    const query = `SELECT TTL(entry) AS seconds FROM ${engine.options.keyspace}.lookup WHERE kind = ? AND digest = ?`;
    const { rows } = await client.execute(query, [kind, digest]);
    return rows[0]?.['seconds'] ?? null;
  };

  it('keeps the version of an expired entry while the log keeps commands', async () => {
    const key = newKey();
    const expiresAt = engine.clock.now() + SECOND_MS;
    await engine.digestIndex.put({ ...key, target: { version: 2 }, version: 2, expiresAt });
    engine.clock.advance(2 * SECOND_MS);
    await engine.digestIndex.put({ ...key, target: { version: 1 }, version: 1, expiresAt: null });
    expect(await engine.digestIndex.get(key)).toBeNull();
    expect(await lifeOf(key)).toBeGreaterThan((14 * DAY_MS) / SECOND_MS - 60);
    expect(await lifeOf(key)).toBeLessThanOrEqual((14 * DAY_MS) / SECOND_MS + 1);
  });

  it('stores an entry that has expired before it is put, and rejects an older one', async () => {
    const key = newKey();
    const expiresAt = engine.clock.now() - 30 * DAY_MS;
    await engine.digestIndex.put({ ...key, target: { version: 2 }, version: 2, expiresAt });
    await engine.digestIndex.put({ ...key, target: { version: 1 }, version: 1, expiresAt: null });
    expect(await engine.digestIndex.get(key)).toBeNull();
  });

  it.each([
    ['no expiry', null],
    ['an expiry beyond what Cassandra can count to', Date.UTC(2300, 0)],
  ])('never expires an entry with %s', async (_, expiresAt) => {
    const key = newKey();
    await engine.digestIndex.put({ ...key, target: { there: true }, version: 1, expiresAt });
    expect(await engine.digestIndex.get(key)).toEqual({ there: true });
    expect(await lifeOf(key)).toBeNull();
  });

  it('keeps one of two entries with the same version as a whole, in any order', async () => {
    const [left, right] = [newKey(), newKey()];
    const entries = [
      { target: { first: true }, version: 1, expiresAt: null },
      { target: null, version: 1, expiresAt: engine.clock.now() + DAY_MS },
    ];
    for (const entry of entries) await engine.digestIndex.put({ ...left, ...entry });
    for (const entry of entries.toReversed()) await engine.digestIndex.put({ ...right, ...entry });
    expect(await engine.digestIndex.get(left)).toEqual(await engine.digestIndex.get(right));
  });
});
