import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { DATABASE_FILE, openDatabase, readPragma, stopWaiting } from './database.ts';
import { GroupCommit, QUEUED_WRITES_MAX, TransactionFailedError } from './group-commit.ts';
import { EmbeddedStore } from './store.ts';

describe('GroupCommit', () => {
  let folder: string;
  let database: DatabaseSync;
  let writer: GroupCommit;
  let fatal: unknown[];
  let synchronize: () => Promise<void>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'group-commit-'));
    database = openDatabase(folder);
    fatal = [];
    synchronize = async () => {};
    writer = new GroupCommit(
      database,
      () => synchronize(),
      (error) => fatal.push(error),
    );
  });
  afterEach(async () => {
    if (database.isOpen) database.close();
    await rm(folder, { recursive: true });
  });

  const insert = (key: string) => () => {
    database.prepare('INSERT INTO counter VALUES (?, 1, 1)').run(key);
    return key;
  };
  const keys = (source = database) =>
    source
      .prepare('SELECT key FROM counter ORDER BY key')
      .all()
      .map(({ key }) => key);
  const fillDisk = () =>
    database.exec(`PRAGMA max_page_count = ${Number(readPragma(database, 'page_count'))}`);
  const emptyDisk = () => database.exec('PRAGMA max_page_count = 1000000');
  const insertMuch = () => database.prepare('INSERT INTO counter VALUES (?, 1, 1)').run('x'.repeat(100_000));

  it('commits the writes of one tick in one transaction', async () => {
    const exec = vi.spyOn(database, 'exec');
    await Promise.all(Array.from({ length: 500 }, (_, index) => writer.run(insert(`key-${index}`))));
    expect(exec.mock.calls.map(([sql]) => sql)).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
    await writer.run(insert('later'));
    expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(2);
    expect(keys()).toHaveLength(501);
  });

  it('adds deferred writes to the next transaction, and begins one for them soon', async () => {
    const exec = vi.spyOn(database, 'exec');
    const commits = () => exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length;
    const deferred = [writer.runDeferred(insert('a')), writer.runDeferred(insert('b'))];
    await new Promise(setImmediate);
    expect(commits()).toBe(0);
    await Promise.all([...deferred, writer.run(insert('c'))]);
    expect(commits()).toBe(1);
    await writer.runDeferred(insert('d'));
    expect(commits()).toBe(2);
    const last = writer.runDeferred(insert('e'));
    await writer.close();
    expect(await last).toBe('e');
    expect(keys()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('answers after the commit, in the order of the calls', async () => {
    const other = new DatabaseSync(join(folder, DATABASE_FILE));
    const seen: unknown[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map(async (key) => {
        seen.push([await writer.run(insert(key)), keys(other)]);
      }),
    );
    expect(seen).toEqual(['a', 'b', 'c'].map((key) => [key, ['a', 'b', 'c']]));
    other.close();
  });

  it('resolves only writes that are on the disk, and gathers later ones in one transaction', async () => {
    const exec = vi.spyOn(database, 'exec');
    const disk = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let waits = 0;
    synchronize = () => (disk[waits++] ?? disk[0]).promise;
    const answered: string[] = [];
    const write = (key: string) => writer.run(insert(key)).then((result) => answered.push(result));
    const first = write('a');
    await vi.waitFor(() => expect(waits).toBe(1));
    const seen = writer.synchronized().then(() => answered.push('seen'));
    const others = ['b', 'c'].map(async (key) => {
      await new Promise(setImmediate);
      await write(key);
    });
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(answered).toEqual([]);
    expect(keys()).toEqual(['a']);
    disk[0].resolve();
    await Promise.all([first, seen]);
    expect(answered).toEqual(['a', 'seen']);
    await vi.waitFor(() => expect(waits).toBe(2));
    expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(2);
    expect(answered).toHaveLength(2);
    disk[1].resolve();
    await Promise.all(others);
    expect(answered).toEqual(['a', 'seen', 'b', 'c']);
  });

  it('ends when the disk fails: rejects running and queued writes, and calls onFatal once', async () => {
    const disk = Promise.withResolvers<void>();
    synchronize = () => disk.promise;
    const first = writer.run(insert('a'));
    const failed = expect(first).rejects.toThrow(TransactionFailedError);
    await vi.waitFor(() => expect(keys()).toEqual(['a']));
    const second = expect(writer.run(insert('b'))).rejects.toThrow(EngineUnavailableError);
    disk.reject(new Error('EIO'));
    await Promise.all([failed, second]);
    await expect(writer.run(insert('c'))).rejects.toThrow(EngineUnavailableError);
    expect(fatal).toEqual([new Error('EIO')]);
    expect(keys()).toEqual(['a']);
    await writer.close();
  });

  it('resolves synchronized once committed writes are on the disk', async () => {
    const disk = Promise.withResolvers<void>();
    const store = new EmbeddedStore(database, writer);
    synchronize = () => disk.promise;
    const aggregate = { table: 'imports', id: 'a' } as const;
    const root = { version: 1, batchId: 'b', applied: { generation: 1, offset: 0 }, document: {} };
    const commit = store.commit(aggregate, 0, { root, put: [], remove: [] });
    await vi.waitFor(() => expect(database.prepare('SELECT 1 FROM aggregate_root').get()).toBeDefined());
    let shown = false;
    const reads = [store.read(aggregate, []), store.list(aggregate, 'kind', { limit: 1 })].map((read) =>
      read.then(() => {
        shown = true;
      }),
    );
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(shown).toBe(false);
    disk.resolve();
    await Promise.all([commit, ...reads]);
    expect((await store.read(aggregate, [])).root?.version).toBe(1);
  });

  it('rejects an operation that throws, undoes it as a whole, and commits its neighbours once', async () => {
    const broken = () => {
      insert('broken')();
      throw new Error('running an operation');
    };
    const doubled = () => {
      insert('a')();
    };
    const results = await Promise.allSettled([
      writer.run(insert('a')),
      writer.run(broken),
      writer.run(doubled),
      writer.run(insert('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: 'running an operation' } });
    expect(keys()).toEqual(['a', 'b']);
    expect(fatal).toEqual([]);
    await expect(writer.run(insert('c'))).resolves.toBe('c');
  });

  it('rejects writes beyond its bound, and accepts them again afterwards', async () => {
    const queued = Array.from({ length: QUEUED_WRITES_MAX }, () => writer.run(() => true));
    await expect(writer.run(insert('too many'))).rejects.toThrow(EngineUnavailableError);
    expect(await Promise.all(queued)).toHaveLength(QUEUED_WRITES_MAX);
    expect(keys()).toEqual([]);
    await expect(writer.run(insert('a'))).resolves.toBe('a');
  });

  it('rejects the transaction that finds the disk full, and continues once there is room', async () => {
    let full = 0;
    const bounded = new GroupCommit(
      database,
      async () => {},
      (error) => fatal.push(error),
      () => {
        full += 1;
      },
    );
    await bounded.run(insert('before'));
    fillDisk();
    const results = await Promise.allSettled([bounded.run(insert('with it')), bounded.run(insertMuch)]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(EngineUnavailableError) });
    }
    expect({ full, keys: keys() }).toEqual({ full: 1, keys: ['before'] });
    emptyDisk();
    await expect(bounded.run(insert('later'))).resolves.toBe('later');
    expect(keys()).toEqual(['before', 'later']);
    expect(fatal).toEqual([]);
    await bounded.close();
  });

  it('acknowledges nothing when the COMMIT itself fails', async () => {
    database.exec(`CREATE TABLE orphan
      (parent TEXT REFERENCES counter (key) DEFERRABLE INITIALLY DEFERRED)`);
    const orphan = () => database.exec("INSERT INTO orphan VALUES ('missing')");
    const results = await Promise.allSettled([writer.run(insert('a')), writer.run(orphan)]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(TransactionFailedError) });
    }
    expect(keys()).toEqual([]);
    expect(fatal).toHaveLength(1);
  });

  it('ends if the file cannot be written', async () => {
    const file = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
    const readOnly = new GroupCommit(
      file,
      async () => {},
      (error) => fatal.push(error),
    );
    const write = readOnly.run(() => file.exec("INSERT INTO counter VALUES ('a', 1, 1)"));
    await expect(write).rejects.toThrow(TransactionFailedError);
    expect(fatal).toMatchObject([{ errstr: 'attempt to write a readonly database' }]);
    file.close();
  });

  it('makes a commit unknown to the store if waiting for the disk fails', async () => {
    const store = new EmbeddedStore(database, writer);
    synchronize = async () => {
      throw new Error('waiting for the disk');
    };
    const root = { version: 1, batchId: 'b', applied: { generation: 1, offset: 0 }, document: {} };
    const commit = store.commit({ table: 'imports', id: 'a' }, 0, { root, put: [], remove: [] });
    await expect(commit).rejects.toThrow(CommitUnknownError);
  });

  /** Locks the file, like another program. */
  function lockFile(): () => void {
    const other = new DatabaseSync(join(folder, DATABASE_FILE));
    other.exec('BEGIN IMMEDIATE');
    return () => {
      other.exec('ROLLBACK');
      other.close();
    };
  }

  it('rejects writes that have waited too long for a lock, and continues afterwards', async () => {
    stopWaiting(database);
    const writer = new GroupCommit(
      database,
      async () => {},
      (error) => fatal.push(error),
      () => {},
      50,
    );
    const unlock = lockFile();
    await expect(writer.run(insert('a'))).rejects.toThrow(EngineUnavailableError);
    unlock();
    await expect(writer.run(insert('b'))).resolves.toBe('b');
    expect(fatal).toEqual([]);
  });

  it('waits for a lock beside the event loop, and commits the writes of that time in one transaction', async () => {
    stopWaiting(database);
    const exec = vi.spyOn(database, 'exec');
    const unlock = lockFile();
    const first = writer.run(insert('a'));
    await vi.waitFor(() => expect(exec.mock.calls.length).toBeGreaterThan(3));
    // This turn of the event loop runs although the lock is taken; no write is answered yet.
    const second = writer.run(insert('b'));
    expect(keys()).toEqual([]);
    unlock();
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
    expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
  });

  it('commits the queued writes when it is closed, and rejects later ones', async () => {
    const queued = writer.run(insert('a'));
    await writer.close();
    expect(await queued).toBe('a');
    await expect(writer.run(insert('b'))).rejects.toThrow(EngineUnavailableError);
  });
});
