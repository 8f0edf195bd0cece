import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { backUp } from './backup.ts';
import { BLOB_FOLDER } from './blob-files.ts';
import { DATABASE_FILE } from './database.ts';
import { type EmbeddedEngine, openEmbeddedEngine } from './engine.ts';

const KEY = 'ins_aaaaaaaaaaaaaaaaaaaaaaaa';

let root: string;
let folder: string;
let target: string;
let engine: EmbeddedEngine;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  folder = join(root, 'data');
  target = join(root, 'copy');
  engine = open(folder);
});

afterEach(async () => {
  await engine.close();
  rmSync(root, { recursive: true });
});

describe('backUp', () => {
  it('copies every confirmed write of a folder in use, into an independent folder', async () => {
    await append(engine, 'before');
    backUp({ folder, target, files: [] });
    await append(engine, 'after');
    const copy = open(target);
    await append(copy, 'elsewhere');
    const probe = await LogProbe.start(copy.log, { group: 'readers', keys: [KEY] });
    await expect.poll(() => probe.values()).toEqual(['before', 'elsewhere']);
    await probe.stop();
    await copy.close();
  });

  it('copies the named files, and lets only the owner read the copy', () => {
    writeFileSync(join(folder, 'secret'), 'private', { mode: 0o644 });
    const { files, databaseBytes } = backUp({ folder, target, files: ['secret', 'identity-secret'] });
    expect(files).toEqual(['secret']);
    expect(databaseBytes).toBe(statSync(join(target, DATABASE_FILE)).size);
    expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('private');
    for (const file of [DATABASE_FILE, 'secret'])
      expect(statSync(join(target, file)).mode & 0o777).toBe(0o600);
    expect(statSync(target).mode & 0o777).toBe(0o700);
  });

  it('copies the readable large blobs whole, for the owner only', async () => {
    const address = (name: string) => ({ owner: 'owner', group: 'group', name });
    const write = async (name: string, bytes: Buffer) => {
      const writer = engine.blobs.create(address(name), { expiresAt: null });
      await writer.write(bytes);
      await writer.close();
    };
    await write('kept', Buffer.alloc(700_000, 'kept'));
    await write('removed', Buffer.alloc(700_000, 'removed'));
    await engine.blobs.remove(address('removed'));
    const unfinished = engine.blobs.create(address('unfinished'), { expiresAt: null });
    await unfinished.write(Buffer.alloc(700_000, 'unfinished'));
    const { blobs } = backUp({ folder, target, files: [] });
    expect(blobs).toEqual({ count: 1, bytes: 700_000 });
    const [file, ...others] = readdirSync(join(target, BLOB_FOLDER));
    expect(others).toEqual([]);
    expect(statSync(join(target, BLOB_FOLDER, file!)).mode & 0o777).toBe(0o600);
    await unfinished.close();
    await engine.blobs.remove(address('kept'));
    const copy = open(target);
    expect(await copy.blobs.size(address('unfinished'))).toBeNull();
    const bytes = await buffer((await copy.blobs.read(address('kept')))!);
    expect(bytes.equals(Buffer.alloc(700_000, 'kept'))).toBe(true);
    await copy.close();
  });

  it('makes a complete copy while blobs are written and removed', async () => {
    const target = join(root, 'copies');
    mkdirSync(target);
    let writing = true;
    const write = async (name: string): Promise<void> => {
      for (let round = 1; writing; round += 1) {
        const writer = engine.blobs.create({ owner: 'o', group: 'g', name }, { expiresAt: null });
        for (
          let piece = 0;
          piece < 4;
          piece += 1 // Never zero, which is what a file is overwritten with when it goes.
        )
          await writer.write(Buffer.alloc(100_000, 1 + (round % 255)));
        await writer.close();
      }
    };
    const writers = ['a', 'b', 'c'].map(write);
    const program = `import { backUp } from ${JSON.stringify(join(import.meta.dirname, 'backup.ts'))};
      const [folder, target] = process.argv.slice(1);
      for (let copy = 0; copy < 5; copy += 1) backUp({ folder, target: target + '/' + copy, files: [] });`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, folder, target]);
    writing = false;
    await Promise.all(writers);
    for (const name of readdirSync(target)) {
      const copy = open(join(target, name));
      for (const blob of ['a', 'b', 'c']) {
        const pieces = await copy.blobs.read({ owner: 'o', group: 'g', name: blob });
        const bytes = pieces === null ? Buffer.alloc(0) : await buffer(pieces);
        expect(bytes.equals(Buffer.alloc(bytes.length, bytes[0]))).toBe(true);
        expect([0, 400_000]).toContain(bytes.length);
        expect(bytes[0]).not.toBe(0);
      }
      await copy.close();
    }
  });

  it('copies no byte of a removed blob', async () => {
    const address = { owner: 'owner', group: 'group', name: 'name' };
    const writer = engine.blobs.create(address, { expiresAt: null });
    await writer.write(Buffer.from('a-marker-that-must-go'.repeat(200)));
    await writer.close();
    backUp({ folder, target: join(root, 'before'), files: [] });
    await engine.blobs.remove(address);
    backUp({ folder, target, files: [] });
    expect(readFileSync(join(root, 'before', DATABASE_FILE)).includes('a-marker-that-must-go')).toBe(true);
    expect(readFileSync(join(target, DATABASE_FILE)).includes('a-marker-that-must-go')).toBe(false);
  });

  it('rejects an existing target without changing it', () => {
    backUp({ folder, target, files: [] });
    expect(() => backUp({ folder, target, files: [] })).toThrow(/EEXIST/);
  });

  it('rejects a folder without a database', () => {
    expect(() => backUp({ folder: root, target, files: [] })).toThrow(/backing up .*: it has no engine\.db/);
    expect(existsSync(target)).toBe(false);
  });
});

function open(path: string): EmbeddedEngine {
  return openEmbeddedEngine({
    folder: path,
    clock: { now: () => Date.now() },
    onFatal: (error) => {
      throw error;
    },
  });
}

async function append({ log }: EmbeddedEngine, value: string): Promise<void> {
  await log.append([{ topic: 'imports', key: KEY, value }]);
}
