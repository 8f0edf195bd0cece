import { type BigIntStats, lstatSync } from 'node:fs';
import { CommandFailure } from '../failure.ts';

/** Permission bits of the group and of others. */
const OTHERS = 0o077n;

/** Returns the entry at a path without following a link, or null if there is none. */
export function entryAt(path: string): BigIntStats | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

/**
 * Checks that an entry is what it should be, and only the caller's.
 *
 * @throws {CommandFailure} if it is a link or of another kind, belongs to another user, or others may read or write it
 */
export function requirePrivate(path: string, entry: BigIntStats, kind: 'directory' | 'file'): void {
  const isKind = kind === 'directory' ? entry.isDirectory() : entry.isFile();
  if (!isKind) throw refusal(`${path} is no plain ${kind}. Move it away; it may lead to another place.`);
  // Windows has neither users of this kind nor permission bits.
  const user = process.getuid?.();
  if (user === undefined) return;
  if (entry.uid !== BigInt(user)) throw refusal(`${path} belongs to another user.`);
  if (kind === 'file' && entry.nlink !== 1n) {
    throw refusal(`${path} has another name in the file system. Remove that name.`);
  }
  if ((entry.mode & OTHERS) !== 0n) {
    const mode = kind === 'directory' ? '700' : '600';
    throw refusal(`Other users of this machine may open ${path}.`, ['chmod', mode, path]);
  }
}

function refusal(message: string, next?: [string, ...string[]]): CommandFailure {
  return new CommandFailure(message, { code: 'unsafe_state', exit: 'failed', next });
}
