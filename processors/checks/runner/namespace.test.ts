import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserRoom } from './browser-room.ts';
import { Canary } from './canary.fixture.ts';
import { descendantsOf } from './descendants.fixture.ts';
import { HostileRuns, HostileSite, RUNNER_SETTINGS } from './hostile.fixture.ts';
import { privateBytes } from './memory-watch.ts';
import { possibleNamespaces } from './namespace.ts';
import { isRunning } from './processes.ts';
import { type BrowserProgram, findProgram } from './program.ts';

const namespaces = possibleNamespaces();
if (namespaces !== 'network and processes') {
  process.stdout.write(
    `Left out: namespaces of browsers; the rights are for ${namespaces}. They take Linux, root and the program ip.\n`,
  );
}

describe.runIf(namespaces !== 'none')('the network namespace of a room', () => {
  let canary: Canary;
  let program: BrowserProgram;

  beforeAll(async () => {
    canary = await Canary.start();
    const found = findProgram(RUNNER_SETTINGS);
    if ('missing' in found) throw new Error(found.missing);
    program = found.program;
  });
  afterAll(async () => {
    await canary.close();
  });

  /** Runs a command in the network of a process. */
  const within = (pid: number, ...command: string[]) =>
    execFileSync('nsenter', [`--net=/proc/${pid}/ns/net`, '--', ...command], { encoding: 'utf8' });

  /** Opens a connection to the canary from the network of a process. Returns true if it is reached. */
  function reaches(pid: number): boolean {
    const script = `require('node:net').connect(${canary.port}, '127.0.0.1').on('connect', () => { console.log('reached'); process.exit(); }).on('error', () => process.exit())`;
    return within(pid, process.execPath, '--eval', script).includes('reached');
  }

  it('is what a browser gets where the runner has the right', () => {
    expect(program.namespaces).toBe(namespaces);
  });

  it('leaves nothing to reach but the proxy, neither for the browser nor for what drives it', async () => {
    const open = await BrowserRoom.open({ ...program, namespaces: 'none' });
    expect([open.door, reaches(open.pid)]).toEqual([null, true]);
    await open.close();
    const closed = await BrowserRoom.open(program);
    expect(reaches(closed.pid)).toBe(false);
    const links = within(closed.pid, 'ip', '-oneline', 'link').trim().split('\n');
    expect(links).toEqual([expect.stringContaining(' lo: ')]);
    const routes =
      within(closed.pid, 'ip', 'route') + within(closed.pid, 'ip', '-6', 'route', 'show', 'default');
    expect(routes).toBe('');
    const own = readlinkSync('/proc/self/ns/net');
    const processes = descendantsOf(closed.pid);
    expect(processes.length).toBeGreaterThan(3);
    expect(processes.filter((id) => readlinkSync(`/proc/${id}/ns/net`) === own)).toEqual([]);
    await closed.close();
  });

  it('carries one run after the other', async () => {
    const site = await HostileSite.start();
    site.html('/page', '<h1>Done</h1>');
    const runs = new HostileRuns(site);
    for (let run = 0; run < 2; run += 1) {
      expect(await runs.run('/page')).toMatchObject({ failure: null, blockedRequests: 0 });
    }
    await runs.close();
    await site.close();
  });
});

describe.runIf(namespaces === 'network and processes')('the namespace of processes of a room', () => {
  let room: BrowserRoom;
  let driver: number;

  beforeEach(async () => {
    const found = findProgram(RUNNER_SETTINGS);
    if ('missing' in found) throw new Error(found.missing);
    room = await BrowserRoom.open(found.program);
    [, driver = 0] = descendantsOf(room.pid);
  });
  afterEach(async () => {
    await room.close();
  });

  const inRoom = (...command: string[]) => ['--target', String(driver), '--pid', '--mount', '--', ...command];

  function isEscaped(id: number): boolean {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('begun');
    } catch {
      // It has ended meanwhile.
      return false;
    }
  }

  it('shows no process of the machine', () => {
    const shown = execFileSync('nsenter', inRoom('ps', '-eo', 'pid=,args='), { encoding: 'utf8' });
    expect(shown).toMatch(/^ *1 .*room\.ts/);
    expect(shown).not.toContain('vitest');
  });

  it('takes along a process that has left its group, its parent and its words', async () => {
    const escaped = spawn('nsenter', inRoom('setsid', '--fork', 'sh', '-c', 'echo begun; sleep 300; :'));
    await once(escaped.stdout, 'data');
    // It may speak before its parent has ended: until then it belongs to no process of the room.
    const left = await vi.waitUntil(() => descendantsOf(driver).find(isEscaped), { timeout: 45_000 });
    expect(isRunning(left)).toBe(true);
    await room.close();
    await vi.waitUntil(() => !isRunning(left), { timeout: 45_000, interval: 50 });
  });

  it('lets its memory be read', () => {
    expect(privateBytes(`/proc/${room.pid}/root/proc`, [1])).toBeGreaterThan(10e6);
  });
});
