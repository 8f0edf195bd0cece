import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECRET_BYTES, secretFrom } from '../../../../schemas/base/secrets.ts';
import { createWorkspace } from '../../../demo/agent.ts';
import { Client } from '../../../demo/client.ts';
import { isOnCluster, ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { failingStart } from '../operations/failing-start.fixture.ts';

const ANOTHER = 'another-secret-of-more-than-32-characters';

describe('a start on existing data', () => {
  let service: ServiceProcess;
  let folder: string;
  const provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES));
  const create = () => createWorkspace(new Client(service.url), 'Orders', provisionToken);

  beforeEach(async () => {
    service = await ServiceProcess.start();
    folder = join(service.folder, 'data');
  });

  afterEach(async () => {
    await service.dispose();
  });

  async function expectRefused(message: RegExp, environment: Record<string, string> = {}): Promise<void> {
    const { code, lines } = await failingStart({ ...service.environment, ...environment });
    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(2);
  }

  it('is refused with another identity secret, and starts with the right one', async () => {
    const { workspaceId } = await create();
    await service.kill();
    await expectRefused(/^SVC_IDENTITY_SECRET: /, { SVC_IDENTITY_SECRET: ANOTHER });
    await service.restart();
    expect(await create()).toMatchObject({ workspaceId });
  });

  // The data folder of a cluster's process holds no secrets.
  describe.skipIf(isOnCluster())('in a data folder', () => {
    it.each(['identity-secret', 'secret'])(
      'is refused without the file %s, which is not made again',
      async (name) => {
        const { workspaceId, credential } = await create();
        await service.kill();
        const file = join(folder, name);
        renameSync(file, `${file}.kept`);
        await expectRefused(new RegExp(`${name}: .*backup`));
        expect(() => readFileSync(file)).toThrow('ENOENT');
        renameSync(`${file}.kept`, file);
        await service.restart();
        expect(await create()).toMatchObject({ workspaceId, credential });
      },
    );

    it('is refused with another identity secret in the file', async () => {
      await service.kill();
      const file = join(folder, 'identity-secret');
      writeFileSync(file, `${'5'.repeat(64)}\n`);
      await expectRefused(/identity-secret: .*backup/);
    });

    it('is refused with a file that is no secret', async () => {
      await service.kill();
      writeFileSync(join(folder, 'identity-secret'), '');
      await expectRefused(/identity-secret: seen 0 characters/);
    });

    it('is refused while other users may read a secret, and starts once they may not', async () => {
      await service.kill();
      const file = join(folder, 'identity-secret');
      chmodSync(file, 0o640);
      await expectRefused(/identity-secret: .*0640.*chmod 600/);
      chmodSync(file, 0o600);
      await service.restart();
    });

    it('takes the secrets from the environment once their files are gone', async () => {
      const { workspaceId, credential } = await create();
      await service.kill();
      const environment: Record<string, string> = { SVC_DATA_FOLDER: folder };
      for (const [name, variable] of [
        ['secret', 'SVC_SECRET'],
        ['identity-secret', 'SVC_IDENTITY_SECRET'],
      ] as const) {
        environment[variable] = readFileSync(join(folder, name), 'utf8').trim();
        rmSync(join(folder, name));
      }
      const moved = await ServiceProcess.start({ environment });
      try {
        const answer = await createWorkspace(new Client(moved.url), 'Orders', provisionToken);
        expect(answer).toMatchObject({ workspaceId, credential });
      } finally {
        await moved.dispose();
      }
    });

    it('makes secrets for its owner only, at the first start', () => {
      for (const name of ['secret', 'identity-secret']) {
        expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      }
    });
  });
});
