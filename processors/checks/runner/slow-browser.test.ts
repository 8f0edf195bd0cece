import { expect, it } from 'vitest';
import { browserIds, HostileRuns, HostileSite } from './hostile.fixture.ts';

it('a browser that is too slow to open a page costs no run, although it answers again', async () => {
  const site = await HostileSite.start();
  site.html('/page', '<h1>Done</h1>');
  const signalBrowser = (signal: NodeJS.Signals) => {
    for (const pid of browserIds('--user-data-dir=')) process.kill(pid, signal);
  };
  let lines: string[] = [];
  const warn = (_fields: object, message: string) => {
    lines.push(message);
    signalBrowser('SIGCONT');
  };
  const runs = new HostileRuns(site, { logger: { info: () => {}, warn, error: () => {} } });
  expect((await runs.run('/page')).failure).toBeNull();
  lines = [];
  const { failure } = await runs.run('/page', { onBegin: () => signalBrowser('SIGSTOP') });
  expect([failure, lines]).toEqual([null, ['BrowserLost']]);
  await runs.close();
  await site.close();
});
