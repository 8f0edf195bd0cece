import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { secretFrom } from '../../../../schemas/base/secrets.ts';
import { createWorkspace, type Workspace } from '../../../demo/agent.ts';
import { Client } from '../../../demo/client.ts';
import { freePort, isOnCluster, ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { blocksOf } from '../documents/tutorials.fixture.ts';

const OPS = fileURLToPath(new URL('../../../tools/ops/main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** `npm start` builds what is stale first. */
const START_MS_MAX = 120_000;
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

    const data = { SVC_DATA_FOLDER: join(folder, 'restored') };
    await promisify(execFile)(process.execPath, [OPS, 'restore', target], { env: { ...EMBEDDED, ...data } });
    const restored = new Client((await start(data)).url);
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

it.skipIf(isOnCluster())('stays unchanged while the tutorial for operators tries to restore it', async () => {
  const service = await start();
  await create(new Client(service.url));
  const port = await freePort();
  const blocks = blocksOf('tutorials/operator.md', service.url)
    .map(({ code }) => code.replaceAll('/backups/', `${folder}/`).replaceAll('8788', String(port)))
    .filter((code) => code.includes('npm run ops'));
  const [rehearsal = '', check = '', ...others] = blocks;
  expect(others).toEqual([]);
  const [backup = '', restore = '', trial = ''] = rehearsal.trim().split('\n');
  const env = { ...EMBEDDED, PATH: process.env['PATH'] ?? '', SVC_DATA_FOLDER: join(service.folder, 'data') };
  const run = (line: string) => promisify(execFile)('bash', ['-c', line], { cwd: ROOT, env });
  await run(backup);
  const before = digestsOf(join(folder, 'first'));
  await run(restore);
  const started = spawn('bash', ['-c', trial], { cwd: ROOT, env, detached: true, stdio: 'ignore' });
  try {
    await expect.poll(() => isReady(port), { timeout: START_MS_MAX }).toBe(true);
    expect((await run(check)).stdout).toContain('Everything held.');
  } finally {
    const ended = once(started, 'exit');
    process.kill(-(started.pid ?? Number.NaN), 'SIGTERM');
    await ended;
  }
  expect(before).toHaveLength(4);
  expect(digestsOf(join(folder, 'first'))).toEqual(before);
});

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return answer?.ok === true;
}

/** The names of the files of a folder, each with the digest of its content. */
function digestsOf(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${name} ${sha256Hex(readFileSync(join(parentPath, name)))}`)
    .sort();
}

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
