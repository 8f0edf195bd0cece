import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SECRET_BYTES, secretFrom } from '../../../../schemas/base/secrets.ts';
import type { Finding } from '../../../../schemas/operations/summary.ts';
import { hasPrometheus, Prometheus } from '../../../dashboards/prometheus.fixture.ts';
import { createWorkspace, type Workspace } from '../../../demo/agent.ts';
import { Client } from '../../../demo/client.ts';
import { freePort, ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { cookieOf, exchange, setUp } from '../customer.fixture.ts';
import { failingStart } from './failing-start.fixture.ts';
import { makeFailingDisk, makeSmallDisk, mayMount, type SmallDisk } from './small-disk.fixture.ts';

/** Selects the embedded engine, whatever engine other tests run on: only it writes to this disk. */
const EMBEDDED = { SVC_ENGINE: 'embedded' };
const LIMITS = {
  workspace: { createdPerAddressHour: 100_000, createdPerAddressDay: 100_000 },
  http: { managementPerMinute: 100_000, unauthorizedPerMinute: 100_000 },
};

/** Of the 24 MiB of a small disk. */
const RESERVE_MIB = 2;

/** Workspaces at the same time, so that some wait for their answer when the disk is full. */
const CLIENTS = 8;
/** More than fit on the disk. */
const WORKSPACES_MAX = 20_000;
const WAIT = { timeout: 90_000, interval: 20 } as const;

describe('the data folder of a service', () => {
  let disk: SmallDisk;
  let service: ServiceProcess;
  let client: Client;

  async function startOn(newDisk: SmallDisk, environment: Record<string, string> = {}): Promise<void> {
    disk = newDisk;
    service = await ServiceProcess.start({
      limits: LIMITS,
      environment: {
        ...EMBEDDED,
        SVC_DATA_FOLDER: join(disk.folder, 'data'),
        SVC_DISK_RESERVE_MIB: String(RESERVE_MIB),
        ...environment,
      },
      under: disk.under,
    });
    client = new Client(service.url);
  }

  afterEach(async () => {
    await service.dispose();
    disk.remove();
  });

  const newToken = () => secretFrom('provision', randomBytes(SECRET_BYTES));

  function create(provisionToken = newToken()): Promise<Workspace> {
    return createWorkspace(client, 'Orders', provisionToken);
  }

  const statusOfRead = async ({ credential }: Workspace): Promise<number> => {
    const headers = { Authorization: `Bearer ${credential}` };
    return (await fetch(`${service.url}/v1/agent/workspace`, { headers })).status;
  };

  async function refusedCreation(): Promise<{ status: number; retryAfter: string | null; body: unknown }> {
    const answer = await fetch(`${service.url}/v1/agent/workspaces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Orders', cohort: 'dogfood', provisionToken: newToken() }),
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
    };
  }

  async function expectKept(workspaces: readonly Workspace[]): Promise<void> {
    for (const { workspaceId, credential, provisionToken } of workspaces) {
      expect(await create(provisionToken)).toMatchObject({ workspaceId, credential });
    }
  }

  /** Creates workspaces side by side until one of each lane is refused. Returns both sorts. */
  async function createUntilRefused(): Promise<{ answered: Workspace[]; unanswered: string[] }> {
    const [answered, unanswered]: [Workspace[], string[]] = [[], []];
    const lane = async (): Promise<void> => {
      while (answered.length < WORKSPACES_MAX) {
        const provisionToken = newToken();
        try {
          answered.push(await create(provisionToken));
        } catch {
          unanswered.push(provisionToken);
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, lane));
    return { answered, unanswered };
  }

  it.skipIf(!mayMount())(
    'is full: writes are refused, reads succeed, and writes succeed again once there is room',
    async () => {
      await startOn(makeSmallDisk());
      const cookie = cookieOf(await setUp(service));
      const findings = async (): Promise<Finding[]> =>
        (await exchange(`${service.url}/v1/ops/summary`, 'GET', { cookie })).body.findings;
      expect(await findings()).toEqual([]);
      const first = await create();
      disk.fill();
      const { answered, unanswered } = await createUntilRefused();
      await vi.waitFor(async () => {
        expect(await refusedCreation()).toMatchObject({
          status: 503,
          retryAfter: '60',
          body: { error: { code: 'unavailable', message: expect.stringContaining('disk space') } },
        });
      }, WAIT);
      expect(await statusOfRead(first)).toBe(200);
      expect(service.output).toContain('"room":"scarce"');
      expect(service.exitCode).toBeNull();
      await vi.waitFor(async () => {
        expect((await findings())[0]).toMatchObject({ name: 'disk-room-scarce', severity: 'bad' });
      }, WAIT);

      disk.empty();
      await vi.waitFor(() => expectKept([first]), WAIT);
      const names = async () => (await findings()).map(({ name }) => name);
      await vi.waitFor(async () => expect(await names()).not.toContain('disk-room-scarce'), WAIT);
      await expectKept(answered);
      for (const provisionToken of unanswered) {
        expect(await create(provisionToken)).toMatchObject({ provisionToken });
      }
      expect(service.output).toContain('"room":"ample"');
      expect(await service.stop()).toBe(0);
    },
  );

  it.skipIf(!mayMount() || !hasPrometheus())(
    'is full where the blobs are, on a separate disk: new things are refused and operators see it, until there is room',
    async () => {
      const blobs = makeSmallDisk();
      const data = mkdtempSync(join(tmpdir(), 'svc-data-'));
      // A disk as small as nothing would have no bound.
      writeFileSync(join(blobs.folder, 'something'), 'a');
      mkdirSync(join(blobs.folder, 'blobs'));
      symlinkSync(join(blobs.folder, 'blobs'), join(data, 'blobs'));
      await startOn(blobs, { SVC_DATA_FOLDER: data });
      const cookie = cookieOf(await setUp(service));
      const names = async (): Promise<string[]> => {
        const { body } = await exchange(`${service.url}/v1/ops/summary`, 'GET', { cookie });
        return body.findings.map(({ name }: Finding) => name);
      };
      const prometheus = await Prometheus.start([new URL(service.url).host]);
      onTestFinished(() => prometheus.dispose());
      // Pending, or firing after its minute.
      const alerts = () => prometheus.query('ALERTS{alertname="DiskRoomScarce"}');
      const workspace = await create();
      expect(await alerts()).toEqual([]);
      blobs.fill();
      await vi.waitFor(async () => expect((await refusedCreation()).status).toBe(503), WAIT);
      await vi.waitFor(async () => expect(await names()).toEqual(['disk-room-scarce']), WAIT);
      await vi.waitFor(async () => expect(await alerts()).toHaveLength(1), WAIT);
      expect(await statusOfRead(workspace)).toBe(200);
      blobs.empty();
      await vi.waitFor(() => create(), WAIT);
      await vi.waitFor(async () => expect(await names()).toEqual([]), WAIT);
      await vi.waitFor(async () => expect(await alerts()).toEqual([]), WAIT);
      await service.stop();
      rmSync(data, { recursive: true });
    },
  );

  it.skipIf(!mayMount())(
    'keeps a reserve: with less room a start takes nothing new, and is ready',
    async () => {
      // More than the disk has: the reserve is in use from the start on.
      await startOn(makeSmallDisk(), { SVC_DISK_RESERVE_MIB: '1024' });
      expect(await refusedCreation()).toMatchObject({ status: 503, retryAfter: '60' });
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    },
  );

  it('fails: the process ends and says why, and a start without the fault finds what was acknowledged', async () => {
    await startOn(makeFailingDisk());
    const { answered, unanswered } = await createUntilRefused();
    await vi.waitFor(() => expect(service.exitCode).toBe(1), WAIT);
    expect(service.output).toMatch(/"reason":"disk I\/O error".*EngineFailed/);

    disk.empty();
    await service.restart();
    await expectKept(answered);
    for (const provisionToken of unanswered) {
      expect(await create(provisionToken)).toMatchObject({ provisionToken });
    }
    expect(await service.stop()).toBe(0);
  });

  it('cannot be written to: a start says so, and changes nothing', async () => {
    await startOn(makeSmallDisk());
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

  it('belongs to one process: a second one names the reason and ends, and the first continues', async () => {
    await startOn(makeSmallDisk());
    const answered = [await create()];
    const environment = { ...service.environment, PORT: String(await freePort()) };
    const { code, lines } = await failingStart(environment);
    expect(lines).toEqual([expect.stringContaining('in use by another process')]);
    expect(code).toBe(2);
    answered.push(await create());
    await expectKept(answered);
  });
});
