import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { descendantsOf } from './descendants.fixture.ts';
import { BROWSER_USER } from './program.ts';
import { makeRoomFolder, removeRoomFolder, removeStaleFolders } from './room-folders.ts';

const PROGRAM = fileURLToPath(new URL('./left-browser.fixture.ts', import.meta.url));
const SWEPT = fileURLToPath(new URL('./swept-home.fixture.ts', import.meta.url));
const WAIT = { timeout: 45_000, interval: 50 };

/** Folders in the place for temporary files that belong to a process. */
const foldersOf = (pid: number) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`svc-runner-${pid}-`));

/** True if a process runs, and not if it only waits for its parent to notice its end. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'));
}

const unexpected = (error: unknown) => expect(error).toBeUndefined();

describe.runIf(process.getuid?.() === 0)('removeRoomFolder', () => {
  const user = { uid: 65_534, gid: 65_534 };

  it('removes the home of another user, with what that user has made', async () => {
    const { path, home } = makeRoomFolder(user);
    const profile = join(home, 'Default');
    mkdirSync(profile);
    writeFileSync(join(profile, 'Cookies'), '');
    for (const each of [profile, join(profile, 'Cookies')]) chownSync(each, user.uid, user.gid);
    await removeRoomFolder(path);
    expect(existsSync(path)).toBe(false);
  });

  it('ends no runner that removes the same folder at that moment', async () => {
    const runner = spawn(process.execPath, [SWEPT], { detached: true, stdio: 'inherit' });
    expect(await once(runner, 'exit')).toEqual([0, null]);
    expect(foldersOf(runner.pid ?? 0)).toEqual([]);
  });

  it('removes nothing in it that its user could not remove', async () => {
    const { path, home } = makeRoomFolder(user);
    const foreign = join(home, 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'file'), '');
    await expect(removeRoomFolder(path)).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    expect(existsSync(join(foreign, 'file'))).toBe(true);
    rmSync(path, { recursive: true });
  });
});

describe.runIf(process.platform === 'linux')('a stale folder', () => {
  const isRoot = process.getuid?.() === 0;
  /** The user of its home: that of the runner, and where the runner is root, that of its browsers. */
  const users = isRoot ? [null, BROWSER_USER] : [null];
  const left = join(tmpdir(), `svc-runner-${process.pid}-named`);
  const home = join(left, 'home');
  let others: ChildProcess[] = [];

  beforeEach(() => mkdirSync(home, { recursive: true }));
  afterEach(() => {
    for (const { pid = 0 } of others) for (const id of descendantsOf(pid)) process.kill(id, 'SIGKILL');
    others = [];
  });

  /** Starts a program that does not end, and waits until it runs. */
  async function start(command: string, words: readonly string[], options: SpawnOptions = {}) {
    const started = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    others.push(started);
    await once(started.stdout, 'data');
    return descendantsOf(started.pid ?? 0);
  }

  it.each(users)('costs no other command that names it, for a home of %j', async (user) => {
    if (user !== null) chownSync(home, user.uid, user.gid);
    const words = ['-c', 'echo begun; sleep 300; :', 'sh', left, `--user-data-dir=${home}`];
    const script = `exec sh -c 'echo begun; sleep 300; :' "$NAMED"`;
    const env = { ...process.env, NAMED: left };
    const named = [
      await start('sh', words),
      await start('sh', words, { detached: true, cwd: left }),
      await start('script', ['--quiet', '--return', '--command', script, '/dev/null'], { env }),
    ].flat();
    await removeStaleFolders(unexpected);
    expect(existsSync(left)).toBe(false);
    expect(named.filter(isAlive)).toEqual(named);
  });

  it.each(users)('takes what its room has started along, for a home of %j', async (user) => {
    if (user !== null) chownSync(home, user.uid, user.gid);
    const words = ['-c', 'echo begun; sleep 300; :', 'sh', `--database=${home}/Crashes`];
    const started = await start('sh', words, { ...user, detached: true, env: { HOME: home } });
    await removeStaleFolders(unexpected);
    await vi.waitUntil(() => !started.some(isAlive), WAIT);
    others = [];
  });
});

describe('removeStaleFolders', () => {
  it('removes what an earlier process with the same id has left, and keeps what this one uses', async () => {
    const { path: used } = makeRoomFolder(null);
    const left = join(tmpdir(), `svc-runner-${process.pid}-left`);
    mkdirSync(join(left, 'Default'), { recursive: true });
    await removeStaleFolders(unexpected);
    expect([existsSync(used), existsSync(left)]).toEqual([true, false]);
    await removeRoomFolder(used);
    expect(existsSync(used)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)(
    'leaves the folders of other users, and what only has such a name',
    async () => {
      const foreign = join(tmpdir(), `svc-runner-${process.pid}-foreign`);
      mkdirSync(foreign);
      chownSync(foreign, 65_534, 65_534);
      const link = join(tmpdir(), `svc-runner-${process.pid}-link`);
      symlinkSync(foreign, link);
      await removeStaleFolders(unexpected);
      expect([existsSync(foreign), existsSync(link)]).toEqual([true, true]);
      for (const path of [link, foreign]) rmSync(path, { recursive: true });
    },
  );

  it.runIf(process.platform === 'linux')(
    'ends the room of a runner that was killed, even a browser that does not notice, and removes its folder',
    async () => {
      const runner = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
      const runnerPid = runner.pid ?? 0;
      const [line] = (await once(createInterface(runner.stdout), 'line')) as [string];
      const room = descendantsOf(Number(line));
      expect(room.length).toBeGreaterThan(3);
      for (const pid of room) process.kill(pid, 'SIGSTOP');
      runner.kill('SIGKILL');
      await once(runner, 'exit');
      expect(room.filter(isAlive)).toEqual(room);
      expect(foldersOf(runnerPid)).toHaveLength(1);
      await removeStaleFolders(unexpected);
      await vi.waitUntil(() => !room.some(isAlive), WAIT);
      expect(foldersOf(runnerPid)).toEqual([]);
    },
  );
});
