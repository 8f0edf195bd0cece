// Makes and removes: the folders of browsers, in the folder for temporary files.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'svc-runner';
const NAME = /^svc-runner-(\d+)-/;

/** Makes the folder of one browser: its profile, its home and its temporary files. */
export function makeProfileFolder(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}-${process.pid}-`));
}

/** Removes the folder of a browser that has ended. */
export function removeProfileFolder(folder: string): void {
  // A process of the browser may write once more while it ends.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes the folders of processes that ended without removing them. */
export function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isInteger(pid) && !isRunning(pid)) removeProfileFolder(join(tmpdir(), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
