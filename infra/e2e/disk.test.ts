import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECRET_BYTES, secretFrom } from '../../schemas/base/secrets.ts';
import { createWorkspace, type Workspace } from '../demo/agent.ts';
import { Client } from '../demo/client.ts';
import { failingStart } from './failing-start.fixture.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { makeSmallDisk, type SmallDisk } from './small-disk.fixture.ts';

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
    const { code, lines } = await failingStart(service.environment, disk.under());
    expect(lines).toEqual([expect.stringContaining(disk.folder)]);
    expect(code).toBe(2);
    disk.setReadOnly(false);
    await service.restart();
    await expectKept(answered);
  });

  it('belongs to one process: a second one says so and ends, and the first goes on', async () => {
    const answered = [await create()];
    const environment = { ...service.environment, PORT: String(await freePort()) };
    const { code, lines } = await failingStart(environment);
    expect(lines).toEqual([expect.stringContaining('in use by another process')]);
    expect(code).toBe(2);
    answered.push(await create());
    await expectKept(answered);
  });
});
