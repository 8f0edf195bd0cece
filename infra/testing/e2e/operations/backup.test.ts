import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { secretFrom } from '../../../../schemas/base/secrets.ts';
import { createWorkspace, type Workspace } from '../../../demo/agent.ts';
import { Client } from '../../../demo/client.ts';
import { isOnCluster, ServiceProcess } from '../../../tools/service-process/service-process.ts';

const OPS = fileURLToPath(new URL('../../../tools/ops/main.ts', import.meta.url));
const CREATED_BEFORE = 20;
const SECRET_BYTES = 32;

/** The command is the embedded engine's, whatever engine the other tests run on. */
const EMBEDDED = { SVC_ENGINE: 'embedded' };
const LIMITS = {
  workspace: { createdPerAddressHour: 100_000, createdPerAddressDay: 100_000 },
  http: { managementPerMinute: 100_000 },
};

const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
const services: ServiceProcess[] = [];

afterAll(async () => {
  for (const service of services) await service.dispose();
  rmSync(folder, { recursive: true });
});

// Kafka, Cassandra and Redis have their backup tools; infra/docs/backup.md names them.
it.skipIf(isOnCluster())(
  'takes a backup under load, from which another service starts with everything that was acknowledged before',
  async () => {
    const original = await start();
    const client = new Client(original.url);
    const before = await Promise.all(Array.from({ length: CREATED_BEFORE }, () => create(client)));
    const load = new Load(client);
    const target = join(folder, 'copy');
    const { stdout } = await promisify(execFile)(process.execPath, [OPS, 'backup', target], {
      env: { ...EMBEDDED, SVC_DATA_FOLDER: join(original.folder, 'data') },
    });
    expect(stdout).toMatch(/^Backed up .*data to .*copy: \d+ bytes\.\n$/);
    const meanwhile = await load.end();
    expect(meanwhile).toBeGreaterThan(0);
    const after = await create(client);
    await original.kill();

    const restored = new Client((await start({ SVC_DATA_FOLDER: target })).url);
    for (const made of before) {
      // The credential is one of the secrets that a repeat derives again: so the secrets came along, too.
      expect(await createWorkspace(restored, 'Orders', made.provisionToken)).toMatchObject({
        workspaceId: made.workspaceId,
        credential: made.credential,
      });
      await restored.send('GET', '/v1/agent/workspace', 200, { bearer: made.credential });
    }
    await restored.send('GET', '/v1/agent/workspace', 401, { bearer: after.credential });
    expect(await create(restored)).toHaveProperty('credential');
  },
);

async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const service = await ServiceProcess.start({
    limits: LIMITS,
    environment: { ...EMBEDDED, ...environment },
  });
  services.push(service);
  return service;
}

function create(client: Client): Promise<Workspace> {
  return createWorkspace(client, 'Orders', secretFrom('provision', randomBytes(SECRET_BYTES)));
}

/** Workspaces, one after the other, until it is ended. */
class Load {
  #ended = false;
  readonly #created: Promise<number>;

  constructor(client: Client) {
    this.#created = this.#run(client);
  }

  /** Resolves with how many were answered. */
  async end(): Promise<number> {
    this.#ended = true;
    return await this.#created;
  }

  async #run(client: Client): Promise<number> {
    let created = 0;
    for (; !this.#ended; created += 1) await create(client);
    return created;
  }
}
