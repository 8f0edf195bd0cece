import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../schemas/base/time.ts';
import { writeBlob } from '../../../topics/ports/blob-bytes.ts';
import type { BlobAddress, ByteRange } from '../../../topics/ports/blobs.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { BLOB_FOLDER, BlobFile } from './blob-files.ts';
import { ROW_BYTES_MAX } from './blob-writer.ts';
import { UNFINISHED_KEPT_MS } from './blobs.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';

const ADDRESS: BlobAddress = { owner: 'owner', group: 'group', name: 'name' };
const LARGE = Buffer.alloc(ROW_BYTES_MAX + 1, 'large');

describe('BlobFiles', () => {
  let engine: EmbeddedEngineFixture;
  let folder: string;
  beforeEach(async () => {
    engine = await EmbeddedEngineFixture.open();
    folder = join(engine.folder, BLOB_FOLDER);
  });
  afterEach(async () => {
    await engine.close();
  });

  const write = (bytes: Uint8Array) =>
    writeBlob(engine.blobs, ADDRESS, [bytes], { expiresAt: engine.clock.now() + DAY_MS });

  async function read(range?: ByteRange): Promise<Buffer> {
    return await buffer((await engine.blobs.read(ADDRESS, range))!);
  }

  it('stores large blobs only, readable by their owner', async () => {
    await write(LARGE.subarray(1));
    expect(readdirSync(folder)).toEqual([]);
    await write(LARGE);
    const [name, ...others] = readdirSync(folder) as [string];
    expect(others).toEqual([]);
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(await read()).toEqual(LARGE);
    await write(LARGE.subarray(1));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes the file of an aborted writer', async () => {
    const writer = engine.blobs.create(ADDRESS, { expiresAt: null });
    await writer.write(LARGE);
    expect(readdirSync(folder)).toHaveLength(1);
    await writer.abort();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('overwrites a file before removing it', async () => {
    await write(LARGE);
    const [name] = readdirSync(folder) as [string];
    linkSync(join(folder, name), join(engine.folder, 'the same file'));
    await engine.blobs.remove(ADDRESS);
    expect(readdirSync(folder)).toEqual([]);
    expect(readFileSync(join(engine.folder, 'the same file'))).toEqual(Buffer.alloc(LARGE.length));
  });

  it('removes the orphaned files of a crash after the next start, and no others', async () => {
    await write(LARGE);
    await engine.reopenAfter(() => writeFileSync(join(folder, 'left-behind'), 'bytes'));
    await engine.engine.sweep(engine.clock.now());
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await read()).toEqual(LARGE);
  });

  it('keeps the file of a writer that a crash interrupted, until the blob is abandoned', async () => {
    const writer = engine.blobs.create(ADDRESS, { expiresAt: null });
    await writer.write(LARGE);
    await engine.store.load({ table: 'imports', id: 'after the registration' }, []);
    await engine.reopen();
    await engine.engine.sweep(engine.clock.now());
    expect(readdirSync(folder)).toHaveLength(1);
    engine.clock.advance(UNFINISHED_KEPT_MS);
    await engine.engine.sweep(engine.clock.now());
    expect(readdirSync(folder)).toEqual([]);
    await writer.abort().catch(() => undefined);
  });

  it('rejects large blobs while the file system fails, and still serves small ones', async () => {
    renameSync(folder, `${folder}-gone`);
    await expect(write(LARGE)).rejects.toThrow(EngineUnavailableError);
    await write(Buffer.from('small'));
    renameSync(`${folder}-gone`, folder);
    await write(LARGE);
    expect(await read()).toEqual(LARGE);
    expect(engine.fatal).toEqual([]);
  });

  it('rejects a file that differs from what was written', async () => {
    await write(LARGE);
    const [name] = readdirSync(folder) as [string];
    writeFileSync(join(folder, name), 'short');
    await expect(read()).rejects.toThrow('too short');
    rmSync(join(folder, name));
    await expect(read()).rejects.toThrow('or is lost');
    await engine.blobs.remove(ADDRESS);
    expect(await engine.blobs.size(ADDRESS)).toBeNull();
  });
});

/** A device on which every write finds the disk full (Linux). */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('BlobFile on a full disk', () => {
  const piece = Buffer.alloc(100_000, 'piece');

  async function withFile(use: (file: BlobFile) => Promise<void>): Promise<void> {
    const file = new BlobFile(await open(FULL, 'r+'), async () => {});
    await use(file);
    await file.close();
  }

  it('rejects the append after a failed write', async () => {
    await withFile(async (file) => {
      const appends = async () => {
        for (let count = 0; count < 10; count += 1) await file.append(piece);
      };
      await expect(appends()).rejects.toThrow(EngineUnavailableError);
    });
  });

  it.each([1, 3, 5])('never finishes on a full disk (%i pieces)', async (pieces) => {
    await withFile(async (file) => {
      for (let count = 0; count < pieces; count += 1) await file.append(piece);
      await expect(file.finish()).rejects.toThrow(EngineUnavailableError);
    });
  });

  it('closes without an error after a failed write', async () => {
    await withFile(async (file) => {
      for (let count = 0; count < 3; count += 1) await file.append(piece);
    });
  });
});
