import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure } from '../failure.ts';
import type { Progress } from '../output/progress.ts';
import { entryAt } from './secure-path.ts';

/** The maximum time that a command waits for another one in the same directory. */
const WAIT_MS = 10_000;
const LOOK_AGAIN_MS = 40;
/** The age from which a lock of another machine, whose processes cannot be seen, counts as left behind. */
const FOREIGN_STALE_MS = 600_000;
/** The age from which a half-done removal of a lock counts as left behind. It takes microseconds. */
const REMOVAL_STALE_MS = 10_000;

/** The number of tries after which a person is told what the command waits for. */
const TOLD_AFTER_TRIES = 5;

/** A command that may have to wait. */
export interface Waiter {
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly nonce: string;
}

/**
 * Runs work that no other command of the same directory does at the same time. A lock whose process has ended is removed.
 *
 * @throws {CommandFailure} `busy` if another command holds the lock for too long
 */
export async function withLock<Result>(
  path: string,
  { signal, progress }: Waiter,
  work: () => Promise<Result>,
): Promise<Result> {
  const nonce = randomUUID();
  const deadline = Date.now() + WAIT_MS;
  for (let tries = 1; !tryLock(path, nonce); tries += 1) {
    if (tries === TOLD_AFTER_TRIES) progress.note('Waiting for another command in this directory.');
    removeIfStale(path);
    if (Date.now() > deadline) throw busy(path);
    await pause(LOOK_AGAIN_MS, undefined, { signal });
  }
  const release = (): void => {
    if (readHolder(path)?.nonce === nonce) rmSync(path, { force: true });
  };
  // A process that ends by itself in the middle leaves no lock behind.
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryLock(path: string, nonce: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    writeSync(file, JSON.stringify({ pid: process.pid, host: hostname(), nonce }));
  } finally {
    closeSync(file);
  }
  return true;
}

/** Removes a lock that its process left behind. A second file makes sure that only one process does it at a time. */
function removeIfStale(path: string): void {
  if (!isStale(path)) return;
  const removal = `${path}.removal`;
  if (ageMs(removal) > REMOVAL_STALE_MS) rmSync(removal, { force: true });
  if (!tryLock(removal, '')) return;
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

function isStale(path: string): boolean {
  const holder = readHolder(path);
  // Without content its process has not written yet, or was stopped before it could.
  if (holder === null || holder.host !== hostname()) return ageMs(path) > FOREIGN_STALE_MS;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return isCode(error, 'ESRCH');
  }
}

function ageMs(path: string): number {
  const entry = entryAt(path);
  return entry === null ? 0 : Date.now() - Number(entry.mtimeMs);
}

function readHolder(path: string): Holder | null {
  try {
    const { pid, host, nonce } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string' && typeof nonce === 'string'
      ? { pid, host, nonce }
      : null;
  } catch {
    return null;
  }
}

function busy(path: string): CommandFailure {
  const holder = readHolder(path);
  const who = holder === null ? 'Another command' : `Another command (process ${holder.pid})`;
  return new CommandFailure(`${who} works in this directory. If there is none, remove ${path}.`, {
    code: 'busy',
    exit: 'failed',
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
