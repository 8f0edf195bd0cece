import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserRoom } from './browser-room.ts';
import { Canary } from './canary.fixture.ts';
import { descendantsOf } from './descendants.fixture.ts';
import { HostileRuns, HostileSite, RUNNER_SETTINGS } from './hostile.fixture.ts';
import { canMakeNamespaces } from './namespace.ts';
import { type BrowserProgram, findProgram } from './program.ts';

const hasRight = canMakeNamespaces();
if (!hasRight) {
  process.stdout.write(
    'Left out: the network namespace of browsers; it takes Linux, root and the program ip.\n',
  );
}

describe.runIf(hasRight)('the network namespace of a room', () => {
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
    expect(program.namespace).toBe(true);
  });

  it('leaves nothing to reach but the proxy, neither for the browser nor for what drives it', async () => {
    const open = await BrowserRoom.open({ ...program, namespace: false });
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
