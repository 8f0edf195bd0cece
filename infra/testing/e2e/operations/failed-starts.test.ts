import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeFolder } from '../../../engines/embedded/folder-lock.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { failingStart } from './failing-start.fixture.ts';

/** More than a page of SQLite. */
const NOISE = Buffer.alloc(8_192, 'x');

describe('a start that fails', () => {
  let parent: string;
  let folder: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), 'svc-failed-starts-'));
    folder = join(parent, 'data');
    environment = { SVC_DATA_FOLDER: folder, PORT: String(await freePort()), LOG_LEVEL: 'silent' };
  });

  afterEach(() => {
    rmSync(parent, { recursive: true, force: true });
  });

  /** One line that names what is wrong and the cure, and exit code 2. */
  async function expectRefused(message: RegExp, variables: Record<string, string> = {}): Promise<void> {
    const { code, lines } = await failingStart({ ...environment, ...variables });
    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(2);
  }

  /** Puts these secrets there, so that a database is not met without them. */
  function keepSecrets(): void {
    mkdirSync(folder);
    for (const name of ['secret', 'identity-secret']) {
      writeFileSync(join(folder, name), `${'a'.repeat(64)}\n`, { mode: 0o600 });
    }
  }

  it('names the port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(Number(environment['PORT']), '127.0.0.1', resolve);
    });
    await expectRefused(new RegExp(`^PORT: ${environment['PORT']} on 127.0.0.1 is in use .*another PORT`));
    other.close();
  });

  it('names an address that this machine does not have', async () => {
    await expectRefused(/^HOST: 192\.0\.2\.1 is not an address of this machine/, { HOST: '192.0.2.1' });
  });

  it('names the folder that another process uses', async () => {
    const lock = takeFolder(folder);
    await expectRefused(/^SVC_DATA_FOLDER: .*data is in use by another process; stop/);
    lock.release();
  });

  it('names a folder that is a file', async () => {
    writeFileSync(folder, '');
    await expectRefused(/data: EEXIST; name a folder in SVC_DATA_FOLDER/);
    await expectRefused(/below: ENOTDIR; name a folder/, { SVC_DATA_FOLDER: join(folder, 'below') });
  });

  it.skipIf(process.getuid?.() === 0)('names a folder that it may not write to', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    await expectRefused(/engine\.lock: EACCES; give the user/);
    chmodSync(folder, 0o700);
  });

  it('names a database that is damaged', async () => {
    keepSecrets();
    writeFileSync(join(folder, 'engine.db'), NOISE);
    await expectRefused(/engine\.db: file is not a database; restore the data folder from a backup/);
  });

  it('names a database that was cut off', async () => {
    keepSecrets();
    const path = join(folder, 'engine.db');
    const database = new DatabaseSync(path);
    for (let table = 0; table < 20; table += 1) database.exec(`CREATE TABLE t${table} (column TEXT)`);
    database.close();
    truncateSync(path, 4_096);
    await expectRefused(/engine\.db: database disk image is malformed; restore/);
  });

  it('names a lock that is damaged', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'engine.lock'), NOISE);
    await expectRefused(/engine\.lock: file is not a database; .*remove/);
  });

  it('names a database that a newer program has written', async () => {
    keepSecrets();
    const database = new DatabaseSync(join(folder, 'engine.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expectRefused(/^SVC_DATA_FOLDER: .*version 99.*start the newer program/);
  });

  it('names a limits file that is missing, and one that is no JSON', async () => {
    const file = join(parent, 'limits.json');
    await expectRefused(/^SVC_LIMITS_FILE: /, { SVC_LIMITS_FILE: file });
    writeFileSync(file, '{');
    await expectRefused(/^SVC_LIMITS_FILE: /, { SVC_LIMITS_FILE: file });
  });
});
