import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceInterface } from '../../service/interface.ts';

/**
 * The commit of the latest release, and the promises of its interface that the next one breaks on purpose, as sentences.
 * After a release, its commit goes there, and the lists are empty.
 */
export interface Base {
  readonly commit: string;
  readonly breaks: readonly string[];
  /** The records and documents of the next release that this one cannot read: then it has to refuse to start on its data. */
  readonly back: readonly string[];
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
  // Releases until November 2026 have no snapshot of documents.
  const documents = hasFile(commit, 'documents') ? snapshotAt(commit, 'documents') : {};
  return { openapi: snapshotAt(commit, 'openapi'), topics: snapshotAt(commit, 'topics'), documents };
}

/** The versions of the stored data that a commit's program writes, by engine. */
export function readDataVersionsAt(commit: string): {
  readonly embedded: number;
  readonly cassandra: number;
} {
  const schema = textAt(`${commit}:infra/engines/embedded/schema.ts`);
  const migrations = textAt(`${commit}:infra/engines/cassandra/migrations`);
  return {
    embedded: Number(/CURRENT_SCHEMA: Schema = \{ version: (\d+)/.exec(schema)?.[1]),
    cassandra: Math.max(...[...migrations.matchAll(/^v(\d+)\/$/gm)].map(([, version]) => Number(version))),
  };
}

/** True if this clone has a commit. A shallow one may lack it, and a copy without git has none. */
export function hasCommit(commit: string): boolean {
  return exists(`${commit}^{commit}`);
}

function hasFile(commit: string, name: keyof ServiceInterface): boolean {
  return exists(fileOf(commit, name));
}

function exists(object: string): boolean {
  return spawnSync('git', ['cat-file', '-e', object], { cwd: import.meta.dirname }).status === 0;
}

function fileOf(commit: string, name: keyof ServiceInterface): string {
  return `${commit}:infra/tools/interface/${name}.snap.json`;
}

function textAt(object: string): string {
  return execFileSync('git', ['show', object], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    maxBuffer: SNAPSHOT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function snapshotAt(commit: string, name: keyof ServiceInterface): ServiceInterface[typeof name] {
  const file = fileOf(commit, name);
  try {
    return JSON.parse(textAt(file));
  } catch (error) {
    throw new Error(
      `reading ${file}: the commit of infra/tools/interface/base.json has to be in this clone; a shallow one gets it with git fetch --unshallow`,
      { cause: error },
    );
  }
}
