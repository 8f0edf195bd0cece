import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogProbe } from '../contracts/log-probe.ts';
import { backUp } from './backup.ts';
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
  it('takes along what was confirmed before, from a folder in use, for an engine that then goes its own way', async () => {
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

  it('leaves the copy to its owner, with the files that belong to it', () => {
    writeFileSync(join(folder, 'secret'), 'private', { mode: 0o644 });
    const { files, databaseBytes } = backUp({ folder, target, files: ['secret', 'identity-secret'] });
    expect(files).toEqual(['secret']);
    expect(databaseBytes).toBe(statSync(join(target, DATABASE_FILE)).size);
    expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('private');
    for (const file of [DATABASE_FILE, 'secret'])
      expect(statSync(join(target, file)).mode & 0o777).toBe(0o600);
    expect(statSync(target).mode & 0o777).toBe(0o700);
  });

  it('holds no byte of a blob that was removed', async () => {
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

  it('touches nothing that is there already', () => {
    backUp({ folder, target, files: [] });
    expect(() => backUp({ folder, target, files: [] })).toThrow(/EEXIST/);
  });

  it('says so when there is nothing to copy', () => {
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
