import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

const HOST = 'app.example.com';
const CONFIGURATION = {
  name: 'Start',
  allowedOrigins: [`https://${HOST}`],
  steps: ['profile', 'invite'].map((key) => ({ key, label: key, description: '', actionPath: `/${key}` })),
};

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start();
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('the program of svc activate page on $runtime', (runtime) => {
  const running: ChildProcess[] = [];
  const project = new ProjectDirectory(runtime, '0.4.0');
  afterEach(() => {
    for (const child of running.splice(0)) child.kill();
  });
  afterAll(() => project.dispose());

  /** Starts the program, and returns the port that it prints. */
  function serve(): Promise<number> {
    return new Promise((resolve, reject) => {
      const onStart = (child: ChildProcess) => {
        running.push(child);
        child.stdout?.on('data', (chunk: Buffer) => {
          const [, port] = /on 127\.0\.0\.1:(\d+)\./.exec(chunk.toString()) ?? [];
          if (port !== undefined) resolve(Number(port));
        });
      };
      project
        .run(['run', '--', runtime.program, 'page.mjs'], { onStart })
        .then(({ stderr }) => reject(new Error(stderr)), reject);
    });
  }

  it('is a page and its backend, beside another one that has the port', async () => {
    await project.json([
      ...['workspace', 'create', '--name', 'Pages', '--products', 'svcactivate'],
      ...['--base-url', service.url],
    ]);
    const configuration = ['--configuration-json', JSON.stringify(CONFIGURATION)];
    const { checklistId } = await project.json(['activate', 'create', ...configuration]);
    const { stdout } = await project.run(['activate', 'page', '--checklist', checklistId]);
    writeFileSync(join(project.path, 'page.mjs'), stdout);
    const ports = [await serve(), await serve()];
    expect(new Set(ports).size).toBe(2);
    for (const port of ports) {
      expect(await send(port, 'GET', '/done/invite')).toContain('SvcActivate.mount(');
      expect(JSON.parse(await send(port, 'POST', '/api/onboarding/session'))).toHaveProperty('token');
    }
    const { limits } = await project.json(['workspace', 'status']);
    expect(limits.svcactivate).toMatchObject({ enrollments: { used: 1 }, events: { used: 1 } });
  });
});

async function send(port: number, method: string, path: string): Promise<string> {
  // The certificate is made for each start.
  const headers = { origin: `https://${HOST}` };
  const sent = request({ port, method, path, headers, servername: HOST, rejectUnauthorized: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  return await text(answer);
}
