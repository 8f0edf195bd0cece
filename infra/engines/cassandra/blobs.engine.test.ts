import type { Client } from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import type { BlobAddress } from '../../../topics/ports/blobs.ts';
import { ManualClock, unique } from '../../testing/contracts/engine.fixture.ts';
import { CassandraEngineFixture } from './cassandra-engine.fixture.ts';
import { createClient } from './driver.ts';
import { type CassandraEngine, openCassandraEngine } from './engine.ts';

/** Three chunks. */
const LENGTH = 600_000;

describe('CassandraBlobs', () => {
  let engine: CassandraEngineFixture;
  /** Another process, whose clock is a minute ahead. */
  let ahead: CassandraEngine;
  let client: Client;
  beforeAll(async () => {
    engine = await CassandraEngineFixture.open();
    const clock = new ManualClock();
    clock.advance(MINUTE_MS);
    ahead = await openCassandraEngine(engine.options, clock);
    client = createClient(engine.options);
  });
  afterAll(async () => {
    await client.shutdown();
    await ahead.close();
    await engine.close();
  });

  const newAddress = (): BlobAddress => ({ owner: unique('owner'), group: 'group', name: 'name' });
  const write = async (by: Pick<CassandraEngine, 'blobs'>, address: BlobAddress, length = LENGTH) => {
    const writer = by.blobs.create(address, { expiresAt: null });
    await writer.write(Buffer.alloc(length, 1));
    await writer.close();
  };
  const rowsIn = async ({ owner, group }: BlobAddress) => {
    const query = `SELECT attempt, number, TTL(length) AS seconds FROM ${engine.options.keyspace}.blob
                   WHERE owner = ? AND blob_group = ?`;
    return (await client.execute(query, [owner, group])).rows;
  };

  it('deletes all chunks of a replaced, removed or aborted blob', async () => {
    const address = newAddress();
    await write(engine, address);
    expect(await rowsIn(address)).toHaveLength(4);
    await write(engine, address, 10);
    expect(await rowsIn(address)).toHaveLength(2);
    const writer = engine.blobs.create(address, { expiresAt: null });
    await writer.write(Buffer.alloc(LENGTH));
    expect(await rowsIn(address)).toHaveLength(4);
    await writer.abort();
    expect(await rowsIn(address)).toHaveLength(2);
    await engine.blobs.remove(address);
    expect(await rowsIn(address)).toEqual([]);
  });

  it('removes and replaces blobs of a process whose clock is ahead', async () => {
    const address = newAddress();
    await write(ahead, address);
    await write(engine, address, 10);
    expect(await engine.blobs.size(address)).toBe(10);
    await write(ahead, address, 20);
    await engine.blobs.remove(address);
    expect(await rowsIn(address)).toEqual([]);
    await write(ahead, { ...address, name: 'other' });
    const unfinished = ahead.blobs.create(address, { expiresAt: null });
    await unfinished.write(Buffer.alloc(LENGTH));
    await engine.blobs.removeGroup(address);
    expect(await rowsIn(address)).toEqual([]);
  });

  it('fails a writer whose group is removed meanwhile, and hides its later writes', async () => {
    const address = newAddress();
    const writer = engine.blobs.create(address, { expiresAt: null });
    await writer.write(Buffer.alloc(LENGTH));
    await engine.blobs.removeGroup(address);
    await writer.write(Buffer.alloc(LENGTH));
    await expect(writer.close()).rejects.toThrow('removed meanwhile');
    expect(await engine.blobs.size(address)).toBeNull();
    expect(await rowsIn(address)).toEqual([]);
    await write(engine, address, 10);
    expect(await engine.blobs.size(address)).toBe(10);
  });

  it('removes a blob without harm to one that is being written at the same address', async () => {
    const address = newAddress();
    await write(engine, address);
    const writer = engine.blobs.create(address, { expiresAt: null });
    await writer.write(Buffer.alloc(LENGTH));
    await engine.blobs.remove(address);
    await writer.close();
    expect(await engine.blobs.size(address)).toBe(LENGTH);
  });

  it('keeps each row one minute longer than its blob', async () => {
    const address = newAddress();
    const writer = engine.blobs.create(address, { expiresAt: engine.clock.now() + HOUR_MS });
    await writer.write(Buffer.alloc(LENGTH));
    await writer.close();
    const rows = await rowsIn(address);
    expect(rows).toHaveLength(4);
    for (const { seconds } of rows) {
      expect(seconds).toBeGreaterThan(HOUR_MS / SECOND_MS);
      expect(seconds).toBeLessThanOrEqual((HOUR_MS + MINUTE_MS) / SECOND_MS);
    }
  });

  it('rejects writes after a close or an abort', async () => {
    const address = newAddress();
    const closed = engine.blobs.create(address, { expiresAt: null });
    await closed.close();
    await closed.close();
    await closed.abort();
    expect(await engine.blobs.size(address)).toBe(0);
    await expect(closed.write(Buffer.alloc(1))).rejects.toThrow('a blob writer that is closed');
    const aborted = engine.blobs.create(address, { expiresAt: null });
    await aborted.abort();
    await expect(aborted.close()).rejects.toThrow('a blob writer that is failed');
  });
});
