import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that can be full, and one that cannot be written to. */
export interface SmallDisk {
  readonly folder: string;
  /** Returns the command prefix for a process that writes to the disk. */
  readonly under: () => readonly string[];
  /** Leaves no room, or hardly any. */
  fill(): void;
  /** Makes room again. A process may have to restart to use it. */
  empty(): void;
  /** Forbids or allows writes to the existing files. None of them may be open. */
  setReadOnly(readOnly: boolean): void;
  remove(): void;
}

/** True if this user may mount a disk. Only a mounted disk can be really full. */
export function mayMount(): boolean {
  const folder = newFolder();
  const mounted = mounts(folder, 'size=1m');
  if (mounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}

/** Mounts a disk if this user may do that. Otherwise makes a folder whose files may not grow. */
export function makeSmallDisk(): SmallDisk {
  const folder = newFolder();
  return mounts(folder, `size=${DISK_MIB}m`) ? new MountedDisk(folder) : new BoundedFolder(folder);
}

/** Makes a folder whose files may not grow, which a process meets as an error of the disk. */
export function makeFailingDisk(): SmallDisk {
  return new BoundedFolder(newFolder());
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'svc-disk-'));
}

/** More than an empty data folder takes, and soon full. */
const DISK_MIB = 24;
const BALLAST_BYTES = 256 * 1_024;

class MountedDisk implements SmallDisk {
  readonly folder: string;
  readonly under = (): readonly string[] => [];

  constructor(folder: string) {
    this.folder = folder;
  }

  fill(): void {
    const ballast = join(this.folder, 'ballast');
    for (let bytes = BALLAST_BYTES; bytes > 1; bytes /= 2) {
      while (appends(ballast, bytes)) {
        // It fits: there is room for more.
      }
    }
  }

  empty(): void {
    rmSync(join(this.folder, 'ballast'), { force: true });
  }

  setReadOnly(readOnly: boolean): void {
    execFileSync('mount', ['-o', `remount,${readOnly ? 'ro' : 'rw'}`, this.folder]);
  }

  remove(): void {
    execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}

/** Files of a process under `ulimit -f` grow to about half a MiB, or one, as the shell counts blocks. */
const BLOCKS = 1_024;

class BoundedFolder implements SmallDisk {
  readonly folder: string;
  #isBounded = true;
  readonly under = (): readonly string[] =>
    this.#isBounded ? ['sh', '-c', `ulimit -f ${BLOCKS}; exec "$0" "$@"`] : [];

  constructor(folder: string) {
    this.folder = folder;
  }

  fill(): void {
    this.#isBounded = true;
  }

  empty(): void {
    this.#isBounded = false;
  }

  setReadOnly(readOnly: boolean): void {
    for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), readOnly ? 0o400 : 0o600);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function mounts(folder: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function appends(path: string, bytes: number): boolean {
  try {
    appendFileSync(path, Buffer.alloc(bytes));
    return true;
  } catch {
    return false;
  }
}
