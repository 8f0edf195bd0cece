import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECRET_BYTES, secretFrom } from '../../schemas/base/secrets.ts';
import { createWorkspace, type Workspace } from '../demo/agent.ts';
import { Client } from '../demo/client.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { makeSmallDisk, type SmallDisk } from './small-disk.fixture.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** What the embedded engine does with its disk, whatever engine the other tests run on. */
const EMBEDDED = { SVC_ENGINE: 'embedded' };
const LIMITS = {
  workspace: { createdPerAddressHour: 100_000, createdPerAddressDay: 100_000 },
  http: { managementPerMinute: 100_000, unauthorizedPerMinute: 100_000 },
};

/** Workspaces at the same time, so that some wait for their answer when the disk is full. */
const CLIENTS = 8;
/** More than fit on the disk. */
const WORKSPACES_MAX = 20_000;
const WAIT = { timeout: 20_000, interval: 20 } as const;

describe('the data folder of a service', { timeout: 120_000 }, () => {
  let disk: SmallDisk;
  let service: ServiceProcess;
  let client: Client;

  beforeEach(async () => {
    disk = makeSmallDisk();
    service = await ServiceProcess.start({
      limits: LIMITS,
      environment: { ...EMBEDDED, SVC_DATA_FOLDER: join(disk.folder, 'data') },
      under: disk.under,
    });
    client = new Client(service.url);
  });

  afterEach(async () => {
    await service.dispose();
    disk.remove();
  });

  function create(provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES))): Promise<Workspace> {
    return createWorkspace(client, 'Orders', provisionToken);
  }

  async function expectKept(workspaces: readonly Workspace[]): Promise<void> {
    for (const { workspaceId, credential, provisionToken } of workspaces) {
      expect(await create(provisionToken)).toMatchObject({ workspaceId, credential });
    }
  }

  /** Starts the process where it cannot run, and returns what it says of that. */
  async function failingStart(): Promise<string> {
    const saidBefore = service.output.length;
    const [code] = await once(service.launch(), 'close');
    expect(code).toBe(1);
    return service.output.slice(saidBefore);
  }

  it('is full: the process ends, and has acknowledged nothing that a start with room does not find', async () => {
    const answered: Workspace[] = [await create()];
    const unanswered: string[] = [];
    disk.fill();
    const lane = async (): Promise<void> => {
      while (service.exitCode === null && answered.length < WORKSPACES_MAX) {
        const provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES));
        try {
          answered.push(await create(provisionToken));
        } catch {
          unanswered.push(provisionToken);
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, lane));
    await vi.waitFor(() => expect(service.exitCode).toBe(1), WAIT);
    expect(service.output).toContain('EngineFailed');

    disk.empty();
    await service.restart();
    await expectKept(answered);
    for (const provisionToken of unanswered) {
      expect(await create(provisionToken)).toMatchObject({ provisionToken });
    }
    expect(await service.stop()).toBe(0);
  });

  it('cannot be written to: a start says so, and changes nothing', async () => {
    const answered = [await create(), await create()];
    expect(await service.stop()).toBe(0);
    disk.setReadOnly(true);
    expect(await failingStart()).toContain(disk.folder);
    disk.setReadOnly(false);
    await service.restart();
    await expectKept(answered);
  });

  it('belongs to one process: a second one says so and ends, and the first goes on', async () => {
    const answered = [await create()];
    const environment = { ...service.environment, PORT: String(await freePort()) };
    const second = promisify(execFile)(process.execPath, [MAIN], { env: environment });
    await expect(second).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another process is using it'),
    });
    answered.push(await create());
    await expectKept(answered);
  });
});
