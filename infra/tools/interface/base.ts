import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceInterface } from '../../service/interface.ts';

/**
 * The commit of the latest release, and the promises of its interface that the next one breaks on purpose, as sentences.
 * After a release, its commit goes there, and the list is empty.
 */
export interface Base {
  readonly commit: string;
  readonly breaks: readonly string[];
}

const FILE = join(import.meta.dirname, 'base.json');

/** Git prints a whole snapshot at once. */
const SNAPSHOT_BYTES_MAX = 64 * 1_024 * 1_024;

export function readBase(): Base {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function writeBase(base: Base): void {
  writeFileSync(FILE, `${JSON.stringify(base, null, 2)}\n`);
}

/** The interface of a commit, as its snapshots have it. @throws {Error} if the clone does not have the commit */
export function readInterfaceAt(commit: string): ServiceInterface {
  return { openapi: snapshotAt(commit, 'openapi'), topics: snapshotAt(commit, 'topics') };
}

/** True if this clone has a commit. A shallow one may lack it, and a copy without git has none. */
export function hasCommit(commit: string): boolean {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: import.meta.dirname });
  return status === 0;
}

function snapshotAt(commit: string, name: keyof ServiceInterface): ServiceInterface[typeof name] {
  const file = `${commit}:infra/tools/interface/${name}.snap.json`;
  try {
    return JSON.parse(
      execFileSync('git', ['show', file], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        maxBuffer: SNAPSHOT_BYTES_MAX,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  } catch (error) {
    throw new Error(
      `reading ${file}: the commit of infra/tools/interface/base.json has to be in this clone; a shallow one gets it with git fetch --unshallow`,
      { cause: error },
    );
  }
}
