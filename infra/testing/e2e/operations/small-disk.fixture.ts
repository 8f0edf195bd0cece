import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
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
export function makeSmallDisk(mib = DISK_MIB): SmallDisk {
  const folder = newFolder();
  return mounts(folder, `size=${mib}m`) ? new MountedDisk(folder, mib) : new BoundedFolder(folder);
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
/** Attempts to make a disk as small as its content, which a running process changes. */
const FILL_ATTEMPTS_MAX = 100;

class MountedDisk implements SmallDisk {
  readonly folder: string;
  readonly under = (): readonly string[] => [];
  readonly #mib: number;

  constructor(folder: string, mib: number) {
    this.folder = folder;
    this.#mib = mib;
  }

  fill(): void {
    for (let attempt = 1; attempt <= FILL_ATTEMPTS_MAX; attempt += 1) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      if (this.#remounts(`size=${(blocks - bfree) * bsize}`)) return;
    }
    throw new Error(`filling the disk at ${this.folder}`);
  }

  empty(): void {
    if (!this.#remounts(`size=${this.#mib}m`)) throw new Error(`emptying the disk at ${this.folder}`);
  }

  setReadOnly(readOnly: boolean): void {
    execFileSync('mount', ['-o', `remount,${readOnly ? 'ro' : 'rw'}`, this.folder]);
  }

  remove(): void {
    execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true });
  }

  #remounts(options: string): boolean {
    return spawnSync('mount', ['-o', `remount,${options}`, this.folder], { stdio: 'ignore' }).status === 0;
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
