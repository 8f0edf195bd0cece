import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DisturbingProxy } from '../../../cli/testing/proxy.fixture.ts';
import { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { ops } from './ops.fixture.ts';

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start();
});
afterAll(() => service?.dispose());

const run = (...words: string[]) => ops(service.environment, 'health', ...words);

it('npm run ops -- health tells if a running process can do its work, and fails for another one', async () => {
  // A cluster takes a moment after the start.
  await expect
    .poll(() => run())
    .toEqual({
      data: { url: service.url, live: true, ready: true, reason: null },
      lines: [`${service.url} runs`, 'It is ready.'],
      failed: false,
    });
  const none = await run('--url', 'http://127.0.0.1:9');
  expect(none).toMatchObject({ data: { live: false, ready: false }, failed: true });
  expect(none.lines[0]).toContain('does not answer: ');
  await expect(run('--url', 'here')).rejects.toThrow('url: seen "here"');
});

it('npm run ops -- self-test names the workspace that it made before it failed', async () => {
  const proxy = await DisturbingProxy.start(service.url);
  onTestFinished(() => proxy.close());
  proxy.decide = ({ path }) => (path.endsWith('/events') ? { status: 500, body: 'No.' } : 'forward');
  const test = ops(service.environment, 'self-test', '--url', proxy.url);
  await expect(test).rejects.toThrow(
    /answered 500: .+\nins_\w+ stays until it expires\. npm run ops -- erase ins_\w+ --confirm Self-test /,
  );
});

it('npm run ops -- self-test names the address that does not answer, and why', async () => {
  const test = ops(service.environment, 'self-test', '--url', 'http://127.0.0.1:9');
  await expect(test).rejects.toThrow(/^POST http:\/\/127\.0\.0\.1:9\/v1\/agent\/workspaces: no answer \(\w/);
});
