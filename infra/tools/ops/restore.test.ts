import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { EmbeddedEngineFixture } from '../../engines/embedded/embedded-engine.fixture.ts';
import { SECRET_FILES } from '../../service/settings/secret-files.ts';
import { CREATION } from '../../testing/e2e/borders/world.fixture.ts';
import { accepted, exchange } from '../../testing/e2e/customer.fixture.ts';
import { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { ops } from './ops.fixture.ts';

let engine: EmbeddedEngineFixture;
let folder = '';
beforeAll(async () => {
  engine = await EmbeddedEngineFixture.open();
  await engine.log.append([{ topic: 'imports', key: 'a', value: '1' }]);
  folder = mkdtempSync(join(tmpdir(), 'svc-restore-'));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run ops -- restore', () => {
  it('makes a data folder from a backup, and writes over none', async () => {
    const backup = join(folder, 'backup');
    const restored = { SVC_DATA_FOLDER: join(folder, 'restored') };
    await ops({ SVC_DATA_FOLDER: engine.folder }, 'backup', backup);
    await expect(ops({ SVC_DATA_FOLDER: engine.folder }, 'backup', backup)).rejects.toThrow(
      `folder: seen "${backup}", which exists; expected a new one`,
    );
    await expect(ops(restored, 'backup', join(folder, 'other'))).rejects.toThrow('without data');
    expect((await ops(restored, 'restore', backup)).lines[0]).toContain('Repeat the erasures');
    expect((await ops(restored, 'lag', '--topic', 'imports')).data).toMatchObject({ lag: 1 });
    await expect(ops(restored, 'restore', backup)).rejects.toThrow('which has files; expected none there');
    await expect(ops(restored, 'restore', folder)).rejects.toThrow('without engine.db');
  });

  it('is the only way from a backup to a service: nothing opens the backup for writing', async () => {
    const backup = join(folder, 'unchanged');
    await ops({ SVC_DATA_FOLDER: engine.folder }, 'backup', backup);
    const before = filesOf(backup);
    for (const words of [
      ['switches', 'set', 'runs', 'off'],
      ['erase', 'ins_aaaabbbbccccddddeeeeffff'],
    ])
      await expect(ops({ SVC_DATA_FOLDER: backup }, ...words)).rejects.toThrow(
        `SVC_DATA_FOLDER: ${backup} is a backup, which would change; make a data folder of it: SVC_DATA_FOLDER=NEW npm run ops -- restore ${backup}`,
      );
    await ops({ SVC_DATA_FOLDER: backup }, 'lag');
    await ops({ SVC_DATA_FOLDER: join(folder, 'trial') }, 'restore', backup);
    expect(filesOf(backup)).toEqual(before);
  });
});

it('a service starts from a restored backup, and accepts a credential of before', async () => {
  const service = await ServiceInProcess.start();
  onTestFinished(() => service.dispose());
  const created = await accepted(`${service.url}/v1/agent/workspaces`, 'POST', { json: CREATION });
  const { credential } = created.body;
  const [backup, data] = [join(folder, 'of-a-service'), join(folder, 'of-another')];
  await ops(service.environment, 'backup', backup);
  await ops({ SVC_DATA_FOLDER: data }, 'restore', backup);
  const another = await ServiceInProcess.start({ environment: { SVC_DATA_FOLDER: data } });
  onTestFinished(() => another.dispose());
  const read = (url: string) => exchange(`${url}/v1/agent/workspace`, 'GET', { bearer: credential });
  expect((await read(another.url)).status).toBe(200);
  const secrets = (of: string) => SECRET_FILES.map((file) => readFileSync(join(of, file), 'utf8'));
  expect(secrets(data)).toEqual(secrets(service.environment['SVC_DATA_FOLDER'] ?? ''));
});

/** The names of the files of a folder, each with the digest of its content. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${name} ${sha256Hex(readFileSync(join(parentPath, name)))}`)
    .sort();
}
