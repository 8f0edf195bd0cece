import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { makeProfileFolder, removeProfileFolder, removeStaleFolders } from './profile-folders.ts';

const PROGRAM = fileURLToPath(new URL('./left-browser.fixture.ts', import.meta.url));
const WAIT = { timeout: 60_000, interval: 50 };

/** Folders in the place for temporary files that belong to a process. */
const foldersOf = (pid: number) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`svc-runner-${pid}-`));

/** True if a process runs, and not if it only waits for its parent to notice its end. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'));
}

describe('removeStaleFolders', () => {
  it('removes what an earlier process with the same id has left, and keeps what this one uses', () => {
    const used = makeProfileFolder();
    const left = join(tmpdir(), `svc-runner-${process.pid}-left`);
    mkdirSync(join(left, 'Default'), { recursive: true });
    removeStaleFolders();
    expect([existsSync(used), existsSync(left)]).toEqual([true, false]);
    removeProfileFolder(used);
    expect(existsSync(used)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'ends the browser of a runner that was killed, even one that does not notice, and removes its folder',
    async () => {
      const runner = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
      const runnerPid = runner.pid ?? 0;
      const [line] = (await once(createInterface(runner.stdout), 'line')) as [string];
      const browserPid = Number(line);
      process.kill(browserPid, 'SIGSTOP');
      runner.kill('SIGKILL');
      await once(runner, 'exit');
      expect(isAlive(browserPid)).toBe(true);
      expect(foldersOf(runnerPid)).toHaveLength(1);
      removeStaleFolders();
      await vi.waitUntil(() => !isAlive(browserPid), WAIT);
      expect(foldersOf(runnerPid)).toEqual([]);
    },
    120_000,
  );
});
