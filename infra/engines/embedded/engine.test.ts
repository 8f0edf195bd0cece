import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';
import { openEmbeddedEngine } from './engine.ts';
import { CURRENT_SCHEMA } from './schema.ts';

describe('openEmbeddedEngine', () => {
  let engine: EmbeddedEngineFixture;
  beforeEach(async () => {
    engine = await EmbeddedEngineFixture.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  it('creates a missing folder for its owner only', async () => {
    const folder = join(engine.folder, 'below', 'data');
    const below = openEmbeddedEngine({ folder, clock: engine.clock, onFatal: () => {} });
    expect((await stat(folder)).mode & 0o077).toBe(0);
    await below.close();
  });

  it('releases the folder when opening fails', async () => {
    const damage = engine.reopenAfter((database) => database.exec('PRAGMA user_version = 99'));
    await expect(damage).rejects.toThrow('schema version 99');
    await engine.reopenAfter((database) => database.exec(`PRAGMA user_version = ${CURRENT_SCHEMA.version}`));
    expect(await engine.counters.take('key', 1, 1_000)).toMatchObject({ allowed: true });
  });

  it('rejects as unavailable once it is closed, and may be closed again', async () => {
    await engine.engine.close();
    const aggregate = { table: 'imports', id: 'a' } as const;
    const calls = [
      engine.log.append([{ topic: 'imports', key: 'k', value: 'v' }]),
      engine.store.read(aggregate, []),
      engine.store.load(aggregate, []),
      engine.store.list(aggregate, 'kind', { limit: 1 }),
      engine.digestIndex.get({ kind: 'credential', digest: 'd' }),
      engine.blobs.size({ owner: 'o', group: 'g', name: 'n' }),
      engine.blobs.remove({ owner: 'o', group: 'g', name: 'n' }),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ reason: expect.any(EngineUnavailableError) });
    }
    await engine.engine.close();
  });

  it('delays a load until a running commit has finished', async () => {
    const aggregate = { table: 'imports', id: 'a' } as const;
    const root = { version: 1, batchId: 'b', applied: { generation: 1, offset: 0 }, document: {} };
    const committed = engine.store.commit(aggregate, 0, { root, put: [], remove: [] });
    expect(await engine.store.load(aggregate, [])).toEqual({ root, rows: [] });
    expect(await committed).toBe('applied');
  });

  it('rejects incoherent changes, and changes nothing', async () => {
    const aggregate = { table: 'imports', id: 'a' } as const;
    const root = { version: 1, batchId: 'b', applied: { generation: 1, offset: 0 }, document: {} };
    const row = { kind: 'kind', id: 'id', document: {} };
    await expect(
      engine.store.commit(aggregate, 0, { root: { ...root, version: 2 }, put: [], remove: [] }),
    ).rejects.toThrow('committing version 2 over version 0');
    await expect(engine.store.commit(aggregate, 0, { root, put: [row], remove: [row] })).rejects.toThrow(
      'both put and removed',
    );
    await expect(engine.store.list(aggregate, 'kind', { limit: 0 })).rejects.toThrow(RangeError);
    expect(await engine.store.read(aggregate, [row])).toEqual({ root: null, rows: [] });
  });
});
