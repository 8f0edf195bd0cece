import { afterEach, describe, expect, it } from 'vitest';
import type { Room } from '../../../topics/ports/disk-room.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { DiskRoom } from './disk-room.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';

const ADDRESS = { owner: 'owner', group: 'group', name: 'name' } as const;
/** More than any disk has free. */
const EVERYTHING = Number.MAX_SAFE_INTEGER;

describe('an embedded engine', () => {
  let engine: EmbeddedEngineFixture;

  afterEach(async () => {
    await engine.close();
  });

  it('rejects blobs of any size within the reserve, and accepts commits', async () => {
    const rooms: Room[] = [];
    engine = await EmbeddedEngineFixture.open({
      reserveBytes: EVERYTHING,
      onRoom: (room) => rooms.push(room),
    });
    expect(rooms).toEqual(['scarce']);
    expect(engine.engine.room()).toBe('scarce');
    const writer = engine.blobs.create(ADDRESS, { expiresAt: null });
    await expect(writer.write(Buffer.from('a'))).rejects.toThrow(EngineUnavailableError);
    await writer.abort();
    expect(await engine.blobs.size(ADDRESS)).toBeNull();
    const root = { version: 1, batchId: 'b', applied: { generation: 1, offset: 0 }, document: {} };
    const aggregate = { table: 'imports', id: 'a' } as const;
    expect(await engine.store.commit(aggregate, 0, { root, put: [], remove: [] })).toBe('applied');
  });

  it('accepts blobs while more than the reserve is free', async () => {
    engine = await EmbeddedEngineFixture.open({ reserveBytes: 1 });
    expect(engine.engine.room()).toBe('ample');
    const writer = engine.blobs.create(ADDRESS, { expiresAt: null });
    await writer.write(Buffer.from('a'));
    await writer.close();
    expect(await engine.blobs.size(ADDRESS)).toBe(1);
  });
});

it('takes a file system that reports no size, and a folder that is missing, for ample', () => {
  const rooms: Room[] = [];
  const folders = ['/proc', '/no such folder'];
  new DiskRoom({ folders, reserveBytes: 1, onChange: (room) => rooms.push(room) }).close();
  expect(rooms).toEqual([]);
});
