import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import type { BlobAddress } from '../../../topics/ports/blobs.ts';
import { BLOB_FOLDER } from './blob-files.ts';
import { UNFINISHED_KEPT_MS } from './blobs.ts';
import { DATABASE_FILE } from './database.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';

describe('sweep', () => {
  let engine: EmbeddedEngineFixture;
  beforeEach(async () => {
    engine = await EmbeddedEngineFixture.open();
  });
  afterEach(async () => {
    await engine.close();
  });

  const address = (name: string): BlobAddress => ({ owner: 'owner', group: 'group', name });
  const sweep = () => engine.engine.sweep(engine.clock.now());

  const files = () => readdirSync(join(engine.folder, BLOB_FOLDER));

  async function write(name: string, content: string, expiresAt: number | null = null): Promise<void> {
    const writer = engine.blobs.create(address(name), { expiresAt });
    await writer.write(Buffer.from(content));
    await writer.close();
  }

  /**
   * Returns the texts found in any file of the data folder. A separate process reads, so as not to disturb the locks
   * of this one.
   */
  async function onDisk(texts: readonly string[]): Promise<string[]> {
    const found = await promisify(execFile)('grep', ['-rahoE', 'marker-[0-9a-f-]{36}', engine.folder], {
      maxBuffer: 256 * 1024 * 1024,
    }).catch((error: { code: number; stdout: string }) => {
      if (error.code !== 1) throw error;
      return error;
    });
    const seen = new Set(found.stdout.split('\n'));
    return texts.filter((text) => seen.has(text));
  }

  it('leaves no byte of a removed blob in any file', async () => {
    const [removed, kept] = [marker(), marker()];
    await write('removed', `${removed} `.repeat(20_000));
    await write('kept', `${kept} `.repeat(20_000));
    expect(await onDisk([removed, kept])).toEqual([removed, kept]);
    await engine.blobs.remove(address('removed'));
    await sweep();
    expect(await onDisk([removed, kept])).toEqual([kept]);
  });

  it('does not wait for a reader of an older state, and empties the files after it', async () => {
    const removed = marker();
    await write('removed', `${removed} `.repeat(1_000));
    const backup = new DatabaseSync(join(engine.folder, DATABASE_FILE), { readOnly: true });
    backup.exec('BEGIN; SELECT count(*) FROM blob');
    await engine.blobs.remove(address('removed'));
    const begun = performance.now();
    await sweep();
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(await onDisk([removed])).toEqual([removed]);
    backup.close();
    await sweep();
    expect(await onDisk([removed])).toEqual([]);
  });

  it('deletes blobs that take several steps, and the file of a large one', async () => {
    const writer = engine.blobs.create(address('large'), { expiresAt: null });
    for (let megabyte = 0; megabyte < 20; megabyte += 1) await writer.write(Buffer.alloc(1024 * 1024, 1));
    await writer.close();
    expect(files()).toHaveLength(1);
    for (let index = 0; index < 70; index += 1) await write(`small-${index}`, 'x');
    await engine.blobs.removeGroup({ owner: 'owner', group: 'group' });
    expect(files()).toEqual([]);
    await engine.reopenAfter((database) => {
      expect(countOf(database, 'blob')).toBe(0);
      expect(countOf(database, 'blob_chunk')).toBe(0);
    });
  });

  it('leaves no byte of many small blobs stored beside others', async () => {
    const markers = Array.from({ length: 1_500 }, marker);
    await Promise.all(markers.map((text, index) => write(`blob-${index}`, text.padEnd(60, ' '))));
    const isRemoved = (index: number) => (index * 7) % 10 < 8;
    await Promise.all(
      markers.map(async (_, index) => {
        if (isRemoved(index)) await engine.blobs.remove(address(`blob-${index}`));
      }),
    );
    await sweep();
    expect(await onDisk(markers)).toEqual(markers.filter((_, index) => !isRemoved(index)));
  });

  it('leaves no byte of a replaced, an aborted, an expired, an abandoned and an erased blob', async () => {
    const markers = Array.from({ length: 5 }, marker) as [string, string, string, string, string];
    const [replaced, aborted, expired, givenUp, erased] = markers.map((text) =>
      `${text} `.repeat(10_000),
    ) as [string, string, string, string, string];
    await write('replaced', replaced);
    await write('replaced', 'short');
    const abandoned = engine.blobs.create(address('aborted'), { expiresAt: null });
    await abandoned.write(Buffer.from(aborted));
    await abandoned.abort();
    await write('expired', expired, engine.clock.now() + MINUTE_MS);
    await engine.blobs.create(address('given up'), { expiresAt: null }).write(Buffer.from(givenUp));
    const other = engine.blobs.create({ ...address('erased'), group: 'other' }, { expiresAt: null });
    await other.write(Buffer.from(erased));
    await other.close();
    await engine.blobs.removeGroup({ owner: 'owner', group: 'other' });
    engine.clock.advance(UNFINISHED_KEPT_MS + 1);
    expect(await sweep()).toBe(false);
    expect(await onDisk(markers)).toEqual([]);
    expect(await engine.blobs.size(address('replaced'))).toBe(5);
  });

  it('finishes a removal that a crash interrupted', async () => {
    const text = marker();
    await write('removed', `${text} `.repeat(20_000));
    await engine.reopenAfter((database) => database.exec("UPDATE blob SET state = 'removed'"));
    expect(await engine.blobs.size(address('removed'))).toBeNull();
    await sweep();
    expect(await onDisk([text])).toEqual([]);
  });

  it('abandons a writer without writes for long, and no other', async () => {
    const chunk = Buffer.alloc(256 * 1024);
    const [idle, busy] = ['idle', 'busy'].map((name) =>
      engine.blobs.create(address(name), { expiresAt: null }),
    ) as [ReturnType<typeof engine.blobs.create>, ReturnType<typeof engine.blobs.create>];
    await idle.write(chunk);
    engine.clock.advance(UNFINISHED_KEPT_MS / 2);
    await busy.write(chunk);
    engine.clock.advance(UNFINISHED_KEPT_MS / 2);
    await sweep();
    await busy.close();
    expect(await engine.blobs.size(address('busy'))).toBe(chunk.length);
    await expect(idle.close()).rejects.toThrow('writing a blob that was removed meanwhile');
    expect(await engine.blobs.size(address('idle'))).toBeNull();
  });

  it('fails a writer in a group that was removed after it had begun', async () => {
    const writer = engine.blobs.create(address('late'), { expiresAt: null });
    await writer.write(Buffer.from('not yet a whole chunk'));
    await engine.blobs.removeGroup(address('late'));
    await expect(writer.close()).rejects.toThrow('writing a blob that was removed meanwhile');
    await writer.abort();
    expect(await engine.blobs.size(address('late'))).toBeNull();
  });

  it('removes a bounded number of rows a call, and returns true if there may be more', async () => {
    const expiresAt = engine.clock.now() + MINUTE_MS;
    await Promise.all(Array.from({ length: 600 }, (_, index) => write(`blob-${index}`, 'x', expiresAt)));
    engine.clock.advance(HOUR_MS);
    expect(await sweep()).toBe(true);
    expect(await sweep()).toBe(false);
    await engine.reopenAfter((database) => {
      expect(countOf(database, 'blob')).toBe(0);
      expect(countOf(database, 'blob_chunk')).toBe(0);
    });
  });

  it('keeps the version of an expired index entry while an older command may arrive', async () => {
    const key = { kind: 'credential', digest: 'digest' } as const;
    const older = { ...key, target: { version: 1 }, version: 1, expiresAt: null };
    await engine.digestIndex.put({
      ...key,
      target: null,
      version: 2,
      expiresAt: engine.clock.now() + HOUR_MS,
    });
    engine.clock.advance(13 * DAY_MS);
    await sweep();
    await engine.digestIndex.put(older);
    expect(await engine.digestIndex.get(key)).toBeNull();
    engine.clock.advance(2 * DAY_MS);
    await sweep();
    await engine.digestIndex.put(older);
    expect(await engine.digestIndex.get(key)).toEqual({ version: 1 });
  });

  it('drops long windows that have ended, and no others', async () => {
    await engine.counters.take('hour', 1, HOUR_MS);
    await engine.counters.take('day', 1, DAY_MS);
    engine.clock.advance(HOUR_MS);
    await sweep();
    await engine.reopenAfter((database) => {
      expect(database.prepare('SELECT key FROM counter').all()).toEqual([{ key: 'day' }]);
    });
  });
});

function countOf(database: DatabaseSync, table: string): unknown {
  return database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
}

function marker(): string {
  return `marker-${randomUUID()}`;
}
