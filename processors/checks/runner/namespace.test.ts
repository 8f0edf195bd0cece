import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EgressProxy } from '../egress/proxy.ts';
import { RunningBrowser } from './browser.ts';
import { Canary } from './canary.fixture.ts';
import { HostileRuns, HostileSite, RUNNER_SETTINGS } from './hostile.fixture.ts';
import { canMakeNamespaces } from './namespace.ts';
import { type BrowserProgram, findProgram } from './program.ts';

const TEST_MS = 120_000;
const hasRight = canMakeNamespaces();
if (!hasRight) {
  process.stdout.write(
    'Left out: the network namespace of browsers; it takes Linux, root and the program ip.\n',
  );
}

describe.runIf(hasRight)('the network namespace of a browser', () => {
  let canary: Canary;
  let site: HostileSite;
  let program: BrowserProgram;

  beforeAll(async () => {
    canary = await Canary.start();
    site = await HostileSite.start();
    site.html('/page', '<h1>Done</h1>');
    const found = findProgram(RUNNER_SETTINGS);
    if ('missing' in found) throw new Error(found.missing);
    program = found.program;
  });
  afterAll(async () => {
    await site.close();
    await canary.close();
  });

  /** Opens the canary in a browser that is told to go around its proxy. Returns true if the browser reached it. */
  async function goAround(running: RunningBrowser): Promise<boolean> {
    canary.reset();
    const door = running.door;
    const proxy = await EgressProxy.start({ guard: site.guard, hosts: null, onLimit: () => {}, door });
    const context = await running.browser.newContext({ proxy: { server: proxy.url, bypass: '127.0.0.1' } });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${canary.port}/`).catch(() => {});
    await context.close();
    await proxy.close();
    return canary.reached > 0;
  }

  it('is what a browser gets where the runner has the right', () => {
    expect(program.namespace).toBe(true);
  });

  it(
    'leaves nothing to reach but the proxy, also for a browser that goes around it',
    async () => {
      const open = await RunningBrowser.launch({ ...program, namespace: false });
      expect(await goAround(open)).toBe(true);
      await open.close();
      const closed = await RunningBrowser.launch(program);
      expect(await goAround(closed)).toBe(false);
      const { pid } = closed;
      const within = (...command: string[]) =>
        execFileSync('nsenter', [`--net=/proc/${pid}/ns/net`, '--', ...command], { encoding: 'utf8' });
      expect(within('ip', '-oneline', 'link').trim().split('\n')).toEqual([expect.stringContaining(' lo: ')]);
      expect(within('ip', 'route') + within('ip', '-6', 'route', 'show', 'default')).toBe('');
      const own = readlinkSync('/proc/self/ns/net');
      const processes = await closed.processIds();
      expect(processes.filter((id) => readlinkSync(`/proc/${id}/ns/net`) === own)).toEqual([]);
      await closed.close();
    },
    TEST_MS,
  );

  it(
    'carries one run after the other',
    async () => {
      const runs = new HostileRuns(site);
      for (let run = 0; run < 2; run += 1) {
        expect(await runs.run('/page')).toMatchObject({ failure: null, blockedRequests: 0 });
      }
      await runs.close();
    },
    TEST_MS,
  );
});
