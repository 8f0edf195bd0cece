// Makes and removes: the folders of browsers, in the folder for temporary files. Ends browsers that their runner has left behind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, killGroupsNaming } from './processes.ts';

const PREFIX = 'svc-runner';
const NAME = /^svc-runner-(\d+)-/;

/** The folders of this process. Another process with the same id may have left some, as in a container that started again. */
const own = new Set<string>();

/** Makes the folder of one browser: its profile, its home and its temporary files. */
export function makeProfileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}-${process.pid}-`));
  own.add(folder);
  return folder;
}

/** Removes the folder of a browser that has ended. */
export function removeProfileFolder(folder: string): void {
  // A process of the browser may write once more while it ends.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  own.delete(folder);
}

/** Ends the browsers of processes that ended without ending them, and removes their folders. */
export function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    const folder = join(tmpdir(), name);
    const isStale = pid === process.pid ? !own.has(folder) : !isRunning(pid);
    if (!Number.isInteger(pid) || !isStale) continue;
    killGroupsNaming(folder);
    removeProfileFolder(folder);
  }
}
