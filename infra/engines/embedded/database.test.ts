import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATABASE_FILE, openDatabase, readPragma } from './database.ts';
import { SCHEMA_VERSION } from './schema.ts';

describe('openDatabase', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-database-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('sets what durability and erasure depend on', () => {
    const database = openDatabase(folder);
    expect(readPragma(database, 'journal_mode')).toBe('wal');
    expect(readPragma(database, 'synchronous')).toBe(1);
    expect(readPragma(database, 'secure_delete')).toBe(1);
    expect(readPragma(database, 'busy_timeout')).toBeGreaterThan(0);
    expect(readPragma(database, 'user_version')).toBe(SCHEMA_VERSION);
    database.close();
  });

  it('makes files that only their owner can read', async () => {
    const database = openDatabase(folder);
    for (const suffix of ['', '-wal', '-shm']) {
      const { mode } = await stat(join(folder, DATABASE_FILE + suffix));
      expect(mode & 0o077).toBe(0);
    }
    database.close();
  });

  it('opens what is there and keeps it', () => {
    const first = openDatabase(folder);
    first.exec("INSERT INTO counter VALUES ('key', 1, 2)");
    first.close();
    const second = openDatabase(folder);
    expect(second.prepare('SELECT count(*) AS count FROM counter').get()).toMatchObject({ count: 1 });
    second.close();
  });

  it('refuses a file of a newer version and leaves it as it is', () => {
    openDatabase(folder).close();
    const file = new DatabaseSync(join(folder, DATABASE_FILE));
    file.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    expect(() => openDatabase(folder)).toThrow(
      `schema version ${SCHEMA_VERSION + 1}, and this program knows versions up to ${SCHEMA_VERSION}`,
    );
    expect(readPragma(file, 'user_version')).toBe(SCHEMA_VERSION + 1);
    file.close();
  });

  it('refuses a file on which a setting does not hold', () => {
    const file = new DatabaseSync(join(folder, DATABASE_FILE));
    file.exec('PRAGMA page_size = 8192; CREATE TABLE other (id INTEGER)');
    file.close();
    const cause = expect.objectContaining({
      message: 'setting page_size to 4096: the database answers 8192',
    });
    expect(() => openDatabase(folder)).toThrow(expect.objectContaining({ name: 'DataFileError', cause }));
  });
});
