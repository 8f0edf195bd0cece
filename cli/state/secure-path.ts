import { type BigIntStats, lstatSync } from 'node:fs';
import { CommandFailure, type Next } from '../failure.ts';

/** Permission bits of the group and of others. */
const OTHERS = 0o077n;

type Kind = 'directory' | 'file';

/** Returns the entry at a path without following a link, or null if there is none. */
export function entryAt(path: string): BigIntStats | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

/**
 * Checks that an entry is what it should be, and belongs to the caller.
 *
 * @throws {CommandFailure} if it is a link or of another kind, has a second name, or belongs to another user
 */
export function requireOwn(path: string, entry: BigIntStats, kind: Kind): void {
  const isKind = kind === 'directory' ? entry.isDirectory() : entry.isFile();
  if (!isKind)
    throw unsafe(
      `${path} is not a plain ${kind}, so it could lead elsewhere. Move it away.`,
      movingAway(path),
    );
  // Windows has neither users of this kind nor permission bits.
  const user = process.getuid?.();
  if (user === undefined) return;
  if (entry.uid !== BigInt(user)) throw unsafe(`${path} belongs to another user.`);
  if (kind === 'file' && entry.nlink !== 1n) {
    throw unsafe(`${path} has another name in the file system. Remove that name.`);
  }
}

/**
 * Checks that only the caller may open an entry. Another mode does not make content safe that others could write, so the
 * failure names it only if this tool wrote the content.
 *
 * @throws {CommandFailure} if others may open it
 */
export function requireClosed(path: string, entry: BigIntStats, isWrittenHere: boolean): void {
  if (process.getuid === undefined || (entry.mode & OTHERS) === 0n) return;
  const said = `Other users of this machine may open ${path}.`;
  if (!isWrittenHere) throw unsafe(`${said} Move it away.`);
  throw unsafe(said, ['chmod', entry.isDirectory() ? '700' : '600', path]);
}

/** Returns the command that gives a folder or file another name, so that the tool makes a new one. */
export function movingAway(path: string): Next {
  return ['mv', path, `${path}-${new Date().toISOString().slice(0, 10)}`];
}

/** Makes the failure of a folder or file that the tool does not use. */
export function unsafe(message: string, next?: Next): CommandFailure {
  return new CommandFailure(message, { code: 'unsafe_state', exit: 'failed', next });
}
