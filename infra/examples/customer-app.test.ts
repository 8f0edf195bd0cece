import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, ServiceProcess } from '../tools/service-process/service-process.ts';
import { AppProcess } from './app-process.ts';
import { KillingProxy } from './killing-proxy.fixture.ts';
import { type Prepared, prepareWorkspace } from './prepare.ts';

/** It asks 100 times at most: the service answers 120 requests a minute. */
const SOON = { timeout: 90_000, interval: 200 };
const FILE = Uint8Array.from(Buffer.from(`name,seats\n${'Team,3\n'.repeat(250)}`));

const ONE_EVENT = { checklistEvents: 1 };
const isLimited = (name: string) => name.includes('limit resets');

interface Page {
  /** Sends what the application's own page would, as the user who signed in. */
  post(path: string, json?: object, headers?: Record<string, string>): Promise<Response>;
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into answers whose shape is what they check.
  state(): Promise<any>;
}

describe('the example application', () => {
  let service: ServiceProcess;
  let app: AppProcess;
  let prepared: Prepared;
  let page: Page;
  let proxy: KillingProxy | null = null;
  beforeEach(async ({ task }) => {
    const port = await freePort();
    service = await ServiceProcess.start({
      limits: isLimited(task.name) ? { plans: { preview: ONE_EVENT, free: ONE_EVENT } } : {},
      environment: { SVC_ALLOW_LOOPBACK: '1', SVC_LOOPBACK_PORTS: String(port) },
    });
    prepared = await prepareWorkspace(service, `http://127.0.0.1:${port}`);
    app = new AppProcess(port, prepared.environment);
  });
  afterEach(async () => {
    await app.dispose();
    await service.dispose();
    proxy?.close();
    proxy = null;
  });

  async function startApp(): Promise<void> {
    await app.start();
    page = await signedIn('ada@app.example', 'ada at the example');
  }

  async function signedIn(email: string, password: string): Promise<Page> {
    const send = (path: string, json: object, headers: Record<string, string>) =>
      fetch(`${app.url}/api${path}`, {
        method: 'POST',
        headers: { origin: app.url, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(json),
      });
    const response = await send('/sign-in', { email, password }, {});
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return {
      post: (path, json = {}, headers = {}) => send(path, json, { cookie, ...headers }),
      state: async () => (await fetch(`${app.url}/api/state`, { headers: { cookie } })).json(),
    };
  }

  const outbox = async () => (await page.state()).outbox;
  const setState = (state: 'pause' | 'resume') =>
    prepared.client.send('POST', `/v1/console/workspaces/${prepared.workspaceId}/${state}`, 200, {
      cookie: prepared.owner.cookie,
      json: {},
    });

  async function completedSteps(): Promise<number> {
    const opened = await page.post('/onboarding/session');
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const { token, progressUrl } = (await opened.json()) as { token: string; progressUrl: string };
    const headers = { authorization: `Bearer ${token}`, origin: app.url };
    const progress = (await (await fetch(progressUrl, { headers })).json()) as { completedSteps: number };
    return progress.completedSteps;
  }

  /** Uploads a file as the agent and has it approved as the owner. */
  async function approvedImport(): Promise<string> {
    const { agent, owner, workspaceId, schemaId } = prepared;
    const reserved = await agent.reserveImport('import', { schemaId, revision: 1 }, FILE);
    await agent.upload(reserved, FILE);
    const columns = ['name', 'seats'].map((name) => ({ source: name, target: name }));
    await agent.map(reserved.importId, { version: 'svcimport.mapping.v1', revision: 1, columns });
    await agent.validate('validation', reserved.importId);
    const { importId } = reserved;
    await expect.poll(async () => (await agent.status(importId)).status, SOON).toBe('ready');
    const { validationDigest } = await agent.binding(importId);
    await owner.approve(workspaceId, importId, validationDigest ?? '');
    return importId;
  }

  it('tells the service what a user has reached, and shows the user', async () => {
    await startApp();
    expect(await completedSteps()).toBe(0);
    expect((await page.post('/projects', { name: 'Apollo' })).status).toBe(201);
    await expect.poll(outbox, SOON).toEqual([{ state: 'delivered', reason: null, intents: 1 }]);
    expect(await completedSteps()).toBe(1);
    await page.post('/projects', { name: 'Gemini' });
    await page.post('/invitations');
    await expect.poll(outbox, SOON).toEqual([{ state: 'delivered', reason: null, intents: 3 }]);
    expect(await completedSteps()).toBe(2);
  });

  it('gives its sessions to its own signed-in users on its own pages only', async () => {
    await startApp();
    for (const path of ['/onboarding/session', '/import-session']) {
      const { status } = await page.post(path, {}, { origin: 'https://elsewhere.example' });
      expect(status).toBe(403);
      expect((await page.post(path, {}, { 'content-type': 'text/plain' })).status).toBe(403);
      expect((await page.post(path, {}, { cookie: '' })).status).toBe(401);
    }
    const imports = await page.post('/import-session', { approved: true });
    expect(imports.headers.get('cache-control')).toBe('no-store');
    expect(await imports.json()).toMatchObject({ schemaId: prepared.schemaId, origin: app.url });
    const bob = await signedIn('bob@app.example', 'bob at the example');
    expect((await bob.post('/import-session')).status).toBe(403);
    expect((await bob.post('/onboarding/session', { subjectDigest: 'f'.repeat(64) })).status).toBe(201);
    expect((await page.post('/sign-in', { email: 'ada@app.example', password: 'wrong' })).status).toBe(401);
  });

  it('loses nothing while the service is away, and nothing to a kill', async () => {
    await startApp();
    await service.kill();
    expect((await page.post('/projects', { name: 'Apollo' })).status).toBe(201);
    expect((await page.post('/onboarding/session')).status).toBe(503);
    await expect.poll(outbox, SOON).toEqual([{ state: 'pending', reason: 'no answer', intents: 1 }]);
    await app.kill();
    await service.restart();
    await startApp();
    await expect.poll(outbox, SOON).toEqual([{ state: 'delivered', reason: null, intents: 1 }]);
    expect(await completedSteps()).toBe(1);
  });

  it('keeps what a pause refuses, and sends it at once when a person says so', async () => {
    await startApp();
    await claim();
    await setState('pause');
    await page.post('/projects', { name: 'Apollo' });
    await page.post('/invitations');
    const kept = [
      { state: 'delivered', reason: null, intents: 1 },
      { state: 'pending', reason: '403 workspace_paused', intents: 2 },
    ];
    await expect.poll(outbox, SOON).toEqual(kept);
    await setState('resume');
    expect(await outbox()).toEqual(kept);
    expect(await (await page.post('/outbox/send-again')).json()).toEqual({ intents: 2 });
    await expect.poll(outbox, SOON).toEqual([{ state: 'delivered', reason: null, intents: 3 }]);
    expect(await completedSteps()).toBe(2);
  });

  it('waits for the month if a limit resets, and for a person if it does not', async () => {
    await startApp();
    await page.post('/projects', { name: 'Apollo' });
    await expect.poll(outbox, SOON).toEqual([{ state: 'delivered', reason: null, intents: 1 }]);
    await page.post('/invitations');
    const delivered = { state: 'delivered', reason: null, intents: 1 };
    await expect
      .poll(outbox, SOON)
      .toEqual([delivered, { state: 'parked', reason: '429 limit_reached', intents: 1 }]);
    await prepared.owner.claim(prepared.workspaceId);
    await page.post('/outbox/send-again');
    await expect
      .poll(outbox, SOON)
      .toEqual([delivered, { state: 'pending', reason: '429 limit_reached', intents: 1 }]);
  });

  /** Only a claimed workspace can be paused, and a claim takes a result: another user's first milestone. */
  async function claim(): Promise<void> {
    const bob = await signedIn('bob@app.example', 'bob at the example');
    await bob.post('/invitations');
    await expect.poll(outbox, SOON).toEqual([{ state: 'delivered', reason: null, intents: 1 }]);
    await prepared.owner.claim(prepared.workspaceId);
  }

  it('applies every batch of an import once, though it is killed between commit and acknowledgment', async () => {
    const importId = await approvedImport();
    // Stands between application and service, and lets the first two acknowledgments kill the application.
    let kills = 2;
    proxy = await KillingProxy.start(service.url, async () => {
      if (kills === 0) return false;
      kills -= 1;
      await app.kill();
      return true;
    });
    await app.dispose();
    app = new AppProcess(Number(new URL(app.url).port), {
      ...prepared.environment,
      SVC_URL: proxy.url,
    });
    for (let left = 2; left > 0; left -= 1) {
      // The kill can come before the application answers: it acknowledges first of all.
      await app.start().catch((error: Error) => expect(error.message).toContain('starting the example'));
      await expect.poll(() => kills, SOON).toBeLessThan(left);
    }
    await startApp();
    await expect
      .poll(() => delivery(importId), SOON)
      .toMatchObject({ batchCount: 3, acknowledgedBatches: 3, status: 'delivered' });
    expect((await page.state()).imported).toBe(250);
    expect(await app.stop()).toBe(0);
  });

  it('acknowledges what it has applied although the import was cancelled meanwhile', async () => {
    const importId = await approvedImport();
    let killed = false;
    proxy = await KillingProxy.start(service.url, async () => {
      if (killed) return false;
      killed = true;
      await app.kill();
      return true;
    });
    await app.dispose();
    app = new AppProcess(Number(new URL(app.url).port), { ...prepared.environment, SVC_URL: proxy.url });
    await app.start();
    await expect.poll(() => killed, SOON).toBe(true);
    await cancel(importId);
    expect(await delivery(importId)).toMatchObject({ status: 'cancelled', acknowledgedBatches: 0 });
    await startApp();
    await expect
      .poll(() => delivery(importId), SOON)
      .toMatchObject({ status: 'cancelled', batchCount: 3, acknowledgedBatches: 1 });
    expect((await page.state()).imported).toBe(100);
    expect(await app.stop()).toBe(0);
    expect(app.output).not.toContain('410');
  });

  async function delivery(importId: string): Promise<unknown> {
    const { workspaceId, schemaId, environment, client } = prepared;
    const path = `/v1/import/delivery/${workspaceId}/${schemaId}/imports/${importId}`;
    return await client.send('GET', path, 200, { bearer: environment['SVC_CAPABILITY'] ?? '' });
  }

  async function cancel(importId: string): Promise<void> {
    const { client, workspaceId, owner } = prepared;
    const path = `/v1/console/workspaces/${workspaceId}/imports/${importId}/cancel`;
    await client.send('POST', path, 200, { cookie: owner.cookie, json: {} });
  }
});
