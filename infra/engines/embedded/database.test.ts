import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATABASE_FILE, openDatabase, readPragma } from './database.ts';
import { CURRENT_SCHEMA, type Schema } from './schema.ts';

/** The first version of a made-up schema. */
function firstSchema(tables: string): Schema {
  return { version: 1, tables, upgrades: {} };
}

/** The third version of the same schema: its second upgrade needs the first. */
function thirdSchema(tables: string): Schema {
  return {
    version: 3,
    tables,
    upgrades: {
      2: 'ALTER TABLE note ADD COLUMN length INTEGER; UPDATE note SET length = length(text)',
      3: "ALTER TABLE note ADD COLUMN mark TEXT; UPDATE note SET mark = text || ' ' || length",
    },
  };
}

describe('openDatabase', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-database-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('applies the settings for durability and erasure', () => {
    const database = openDatabase(folder);
    expect(readPragma(database, 'journal_mode')).toBe('wal');
    expect(readPragma(database, 'synchronous')).toBe(1);
    expect(readPragma(database, 'secure_delete')).toBe(1);
    expect(readPragma(database, 'busy_timeout')).toBeGreaterThan(0);
    expect(readPragma(database, 'user_version')).toBe(CURRENT_SCHEMA.version);
    database.close();
  });

  it('creates files that only their owner can read', async () => {
    const database = openDatabase(folder);
    for (const suffix of ['', '-wal', '-shm']) {
      const { mode } = await stat(join(folder, DATABASE_FILE + suffix));
      expect(mode & 0o077).toBe(0);
    }
    database.close();
  });

  it('keeps the rows of an existing database', () => {
    const first = openDatabase(folder);
    first.exec("INSERT INTO counter VALUES ('key', 1, 2)");
    first.close();
    const second = openDatabase(folder);
    expect(second.prepare('SELECT count(*) AS count FROM counter').get()).toMatchObject({ count: 1 });
    second.close();
  });

  it('rejects a file of a newer version without changing it', () => {
    openDatabase(folder).close();
    const file = new DatabaseSync(join(folder, DATABASE_FILE));
    file.exec(`PRAGMA user_version = ${CURRENT_SCHEMA.version + 1}`);
    expect(() => openDatabase(folder)).toThrow(
      `schema version ${CURRENT_SCHEMA.version + 1}, and this program knows versions up to ${CURRENT_SCHEMA.version}`,
    );
    expect(readPragma(file, 'user_version')).toBe(CURRENT_SCHEMA.version + 1);
    file.close();
  });

  it.each([
    ['a database of another program', 'user_version = 1'],
    ['a database of an unreleased version', 'user_version = 1; PRAGMA application_id = 0'],
  ])('rejects %s without changing it', (_, pragmas) => {
    const file = new DatabaseSync(join(folder, DATABASE_FILE));
    file.exec(`CREATE TABLE other (id INTEGER); PRAGMA ${pragmas}`);
    expect(() => openDatabase(folder)).toThrow('has written it');
    expect(file.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'other' }]);
    file.close();
  });

  it('upgrades a database through every version behind it, once, and keeps its rows', () => {
    openDatabase(folder, firstSchema('CREATE TABLE IF NOT EXISTS note (text TEXT)')).close();
    write("INSERT INTO note VALUES ('kept')");
    const later = thirdSchema('CREATE TABLE IF NOT EXISTS note (text TEXT, length INTEGER, mark TEXT)');
    for (let start = 0; start < 2; start += 1) {
      const database = openDatabase(folder, later);
      expect(database.prepare('SELECT * FROM note').all()).toEqual([
        { text: 'kept', length: 4, mark: 'kept 4' },
      ]);
      expect(readPragma(database, 'user_version')).toBe(3);
      database.close();
    }
  });

  it('leaves a database as it was if an upgrade fails', () => {
    openDatabase(folder, firstSchema('CREATE TABLE IF NOT EXISTS other (id INTEGER)')).close();
    expect(() => openDatabase(folder, thirdSchema(''))).toThrow();
    const database = openDatabase(folder, firstSchema(''));
    expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'other' }]);
    database.close();
  });

  function write(sql: string): void {
    const file = new DatabaseSync(join(folder, DATABASE_FILE));
    file.exec(sql);
    file.close();
  }

  it('rejects a file on which a setting has no effect', () => {
    const file = new DatabaseSync(join(folder, DATABASE_FILE));
    file.exec('PRAGMA page_size = 8192; CREATE TABLE other (id INTEGER)');
    file.close();
    const cause = expect.objectContaining({
      message: 'setting page_size to 4096: the database answers 8192',
    });
    expect(() => openDatabase(folder)).toThrow(expect.objectContaining({ name: 'DataFileError', cause }));
  });
});
