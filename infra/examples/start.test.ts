import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const START = fileURLToPath(new URL('./start.ts', import.meta.url));
const SOON = { timeout: 90_000, interval: 50 };

interface Started {
  readonly child: ChildProcess;
  readonly app: string;
  readonly service: string;
}

describe('npm run example', () => {
  let folder: string;
  let child: ChildProcess | null = null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-example-test-'));
  });
  afterEach(async () => {
    if (child !== null && child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM');
    child = null;
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<Started> {
    const started = spawn(process.execPath, [START, '--data', folder], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    let output = '';
    started.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await expect.poll(() => output, { timeout: 90_000, interval: 50 }).toContain('Ctrl+C');
    const [app = '', service = ''] = [...output.matchAll(/: (http:\S+)/g)].map(([, url]) => url);
    return { child: started, app, service };
  }

  async function end(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const exit = once(process, 'exit');
    process.kill(signal);
    await exit;
  }

  const answers = (url: string) =>
    fetch(`${url}/livez`).then(
      () => true,
      () => false,
    );

  async function page({ app }: Started) {
    const send = (path: string, json: object, cookie = '') =>
      fetch(`${app}/api${path}`, {
        method: 'POST',
        headers: { origin: app, 'content-type': 'application/json', cookie },
        body: JSON.stringify(json),
      });
    const credentials = { email: 'ada@app.example', password: 'ada at the example' };
    const cookie = (await send('/sign-in', credentials)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return {
      send: (path: string, json: object) => send(path, json, cookie),
      state: async () => (await fetch(`${app}/api/state`, { headers: { cookie } })).json(),
      completedSteps: async () => {
        const opened = await send('/onboarding/session', {}, cookie);
        const { token, progressUrl } = (await opened.json()) as { token: string; progressUrl: string };
        const headers = { authorization: `Bearer ${token}`, origin: app };
        return ((await (await fetch(progressUrl, { headers })).json()) as { completedSteps: number })
          .completedSteps;
      },
    };
  }

  it('continues with its data and users after a restart', async () => {
    const first = await start();
    const before = await page(first);
    expect((await before.send('/projects', { name: 'Apollo' })).status).toBe(201);
    const delivered = [{ state: 'delivered', reason: null, intents: 1 }];
    await expect
      .poll(async () => ((await before.state()) as { outbox: unknown }).outbox, SOON)
      .toEqual(delivered);
    await end(first.child, 'SIGTERM');
    expect(statSync(join(folder, 'example.json')).mode & 0o077).toBe(0);
    const second = await start();
    expect(second.app).toBe(first.app);
    const after = await page(second);
    expect(await after.state()).toMatchObject({ outbox: delivered });
    expect(await after.completedSteps()).toBe(1);
  });

  it('leaves no process behind when it is killed', async () => {
    const started = await start();
    expect(await Promise.all([answers(started.app), answers(started.service)])).toEqual([true, true]);
    await end(started.child, 'SIGKILL');
    await expect.poll(() => answers(started.app), SOON).toBe(false);
    await expect.poll(() => answers(started.service), SOON).toBe(false);
  });
});
