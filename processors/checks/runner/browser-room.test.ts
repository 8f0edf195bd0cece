import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EgressGuard } from '../egress/guard.ts';
import { EgressProxy } from '../egress/proxy.ts';
import { BrowserRoom } from './browser-room.ts';
import { browserIds, CLIENT, HostileRuns, HostileSite, RUNNER_SETTINGS } from './hostile.fixture.ts';
import { isRunning } from './processes.ts';
import { type BrowserProgram, findProgram } from './program.ts';

const WAIT = { timeout: 45_000, interval: 50 };
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const LATE_MS = 60_000;

function programOf(): BrowserProgram {
  const found = findProgram(RUNNER_SETTINGS);
  if ('missing' in found) throw new Error(found.missing);
  return found.program;
}

describe('BrowserRoom', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-checkout-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('opens in a checkout that only its owner may enter', () => {
    for (const part of ['processors', 'schemas', 'topics', 'package.json']) {
      cpSync(join(REPOSITORY, part), join(folder, part), { recursive: true });
    }
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    const module = join(folder, 'processors/checks/runner/browser-room.ts');
    const script = `
      const { BrowserRoom } = await import(${JSON.stringify(module)});
      const room = await BrowserRoom.open(${JSON.stringify(programOf())});
      await room.close();
      console.log('opened');`;
    const words = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).toContain('opened');
  });

  it.runIf(process.platform === 'linux')('does not take the signal that opens a debugger', async () => {
    const room = await BrowserRoom.open(programOf());
    const [driver] = browserIds(' --disable-sigusr1 ');
    const status = readFileSync(`/proc/${driver}/status`, 'utf8');
    const caught = BigInt(`0x${/SigCgt:\s*(\w+)/.exec(status)?.[1]}`);
    expect(caught & (1n << BigInt(constants.signals.SIGUSR1 - 1))).toBe(0n);
    await room.close();
  });

  it.each(['no JSON', 'another message', 'a line without an end', 'messages without an end'])(
    'loses only its run if it sends %s',
    async (babble) => {
      const guard = new EgressGuard({
        resolver: { resolve: async () => [] },
        loopbackPorts: [],
        ownHosts: [],
      });
      const proxy = await EgressProxy.start({ guard, hosts: null, onLimit: () => {} });
      const entry = fileURLToPath(new URL('./babbling-room.fixture.ts', import.meta.url));
      const room = await BrowserRoom.open({ ...programOf(), namespaces: 'none' }, undefined, entry);
      const driven = await room.drive({
        plan: { origin: babble, flows: [], client: CLIENT },
        proxy,
        ended: new Promise(() => {}),
        timeoutMs: LATE_MS,
      });
      expect(driven).toMatchObject({ findings: { failure: { reason: 'crash' } }, isClean: false });
      expect(room.isOpen).toBe(false);
      await room.close();
      await proxy.close();
    },
  );
});

describe('a browser that ends between two runs', () => {
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    site = await HostileSite.start();
    site.html('/page', '<h1>Done</h1>');
    runs = new HostileRuns(site);
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
  });

  const killBrowser = () => {
    const [browser] = browserIds('--user-data-dir=');
    // The process id 0 would mean the whole group of the tests.
    if (browser === undefined) throw new Error('killing a browser that does not run');
    process.kill(browser, 'SIGKILL');
  };

  it('takes its room with it', async () => {
    expect((await runs.run('/page')).failure).toBeNull();
    const rooms = browserIds();
    killBrowser();
    await vi.waitFor(() => expect(rooms.filter(isRunning)).toEqual([]), WAIT);
    expect((await runs.run('/page')).failure).toBeNull();
  });

  it('costs no run, not even one that begins at once', async () => {
    expect((await runs.run('/page')).failure).toBeNull();
    killBrowser();
    expect((await runs.run('/page')).failure).toBeNull();
  });

  it('costs no run, not even one that has begun and has not asked for its page', async () => {
    expect((await runs.run('/page', { onBegin: killBrowser })).failure).toBeNull();
  });
});
