// Makes and removes: the folders of rooms, in the folder for temporary files. Ends rooms that their runner has left behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRunning, killProcessesOf } from './processes.ts';
import type { BrowserProgram } from './program.ts';

const PREFIX = 'svc-runner';
const HOME = 'home';
const NAME = /^svc-runner-(\d+)-/;
/** A process of a browser may write once more while it ends. */
const REMOVALS_MAX = 5;
const PRIVATE = 0o700;
const PASSABLE = 0o711;

export interface RoomFolder {
  /** Belongs to the user of this process, who may therefore remove it. */
  readonly path: string;
  /** The home of the browser, within it: its profile and its temporary files. */
  readonly home: string;
}

/** The folders of this process. Another process with the same id may have left some, as in a container that started again. */
const own = new Set<string>();

/** Makes the folder of one room, with a home for the user of the browser. */
export function makeRoomFolder(user: BrowserProgram['user']): RoomFolder {
  const path = mkdtempSync(join(tmpdir(), `${PREFIX}-${process.pid}-`));
  own.add(path);
  const home = join(path, HOME);
  mkdirSync(home, { mode: PRIVATE });
  if (user !== null) {
    chmodSync(path, PASSABLE);
    chownSync(home, user.uid, user.gid);
  }
  return { path, home };
}

/** Removes the folder of a room that has ended. @throws {Error} if the system does not let it */
export async function removeRoomFolder(path: string): Promise<void> {
  own.delete(path);
  await removeHome(join(path, HOME));
  await rm(path, { recursive: true, force: true, maxRetries: REMOVALS_MAX });
}

/**
 * Removes the home of another user with no more than that user's rights: a process that has left the browser could put a link
 * in the place of a folder meanwhile, and lead this process anywhere. Anything that the user cannot remove stays.
 */
async function removeHome(home: string): Promise<void> {
  const { uid, gid } = lstatSync(home, { throwIfNoEntry: false }) ?? {};
  if (uid === undefined || uid === process.getuid?.()) return;
  for (let removals = 1; ; removals += 1) {
    // Its words do not name the folder, and its group is its own: another runner may end what this user runs on the folder.
    const options = { uid, gid, cwd: dirname(home), env: {}, detached: true, stdio: 'ignore' } as const;
    const child = spawn('rm', ['-rf', '--', HOME], options);
    await once(child, 'exit');
    try {
      // The folder around it belongs to this process, so this name leads nowhere else.
      return rmdirSync(home);
    } catch (error) {
      if (removals === REMOVALS_MAX) throw error;
    }
  }
}

/**
 * Ends the rooms of processes that ended without ending them, and removes their folders. It leaves what belongs to other users.
 *
 * @param onFailure called with the error of each folder that stays
 */
export async function removeStaleFolders(onFailure: (error: unknown) => void): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    const path = join(tmpdir(), name);
    const isStale = pid === process.pid ? !own.has(path) : !isRunning(pid);
    if (!Number.isInteger(pid) || !isStale || !isOwn(path)) continue;
    killProcessesOf(path, join(path, HOME));
    await removeRoomFolder(path).catch(onFailure);
  }
}

/** True for a folder of the user of this process. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
