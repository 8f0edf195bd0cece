import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { entryAt } from './secure-path.ts';

/** The largest index that is read. A repository with a million files has 100 MiB. */
const INDEX_BYTES_MAX = 256 * 1_024 * 1_024;
const SIGNATURE = 'DIRC';
const HEADER_BYTES = 12;
/** Times, mode, owner and size of an entry. Its hash, its flags and its path follow. */
const FACTS_BYTES = 40;
/** SHA-1 and SHA-256. The index does not say which of them its repository uses. */
const HASHES_BYTES = [20, 32];
const FLAGS_BYTES = 2;
const EXTENDED = 0x4000;
/** The length of the path as the flags have it, or this value for every longer one. */
const LENGTH_MASK = 0xfff;
const ALIGNMENT = 8;

/**
 * True if git tracks something in a folder. The index is read here: git itself runs programs that the configuration of a
 * repository names, and an archive can bring that too.
 */
export function isTrackedByGit(folder: string): boolean {
  for (let above = dirname(folder); ; above = dirname(above)) {
    const index = readIndex(join(above, '.git'));
    if (index !== null) return hasPathBelow(index, `${relative(above, folder).replaceAll(sep, '/')}/`);
    if (above === dirname(above)) return false;
  }
}

/** Returns the index of a repository, or null if there is none. In a worktree, `.git` is a file that names the folder. */
function readIndex(repository: string): Buffer | null {
  const entry = entryAt(repository);
  if (entry === null) return null;
  const named = entry.isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(repository, 'utf8'))?.[1] : undefined;
  const path = join(named === undefined ? repository : resolve(dirname(repository), named), 'index');
  const index = entryAt(path);
  const isReadable = index?.isFile() === true && index.size <= BigInt(INDEX_BYTES_MAX);
  return isReadable ? readFileSync(path) : null;
}

/** True if an index has a path that begins with a prefix (https://git-scm.com/docs/index-format). */
function hasPathBelow(index: Buffer, prefix: string): boolean {
  if (index.length < HEADER_BYTES || index.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE)
    return false;
  const sought = Buffer.from(prefix).toString('latin1');
  for (const bytes of HASHES_BYTES) {
    for (const path of pathsOf(index, bytes)) if (path.startsWith(sought)) return true;
  }
  return false;
}

/** Yields the paths of an index, until one has another length than its entry says: then the hashes have another size. */
function* pathsOf(index: Buffer, hashBytes: number): Generator<string, void> {
  const version = index.readUInt32BE(SIGNATURE.length);
  const flagsOffset = FACTS_BYTES + hashBytes;
  let path = '';
  let start = HEADER_BYTES;
  for (
    let entries = index.readUInt32BE(8);
    entries > 0 && start + flagsOffset + FLAGS_BYTES < index.length;
    entries -= 1
  ) {
    const flags = index.readUInt16BE(start + flagsOffset);
    let at = start + flagsOffset + ((flags & EXTENDED) === 0 ? FLAGS_BYTES : 2 * FLAGS_BYTES);
    let kept = 0;
    if (version === 4) ({ at, kept } = readKept(index, at, path.length));
    const end = index.indexOf(0, at);
    if (end === -1) return;
    path = path.slice(0, kept) + index.toString('latin1', at, end);
    if (Math.min(path.length, LENGTH_MASK) !== (flags & LENGTH_MASK)) return;
    yield path;
    start = version === 4 ? end + 1 : start + Math.ceil((end + 1 - start) / ALIGNMENT) * ALIGNMENT;
  }
}

/** Reads the number of characters that a path of version 4 takes from the path before it. */
function readKept(index: Buffer, from: number, characters: number): { at: number; kept: number } {
  let at = from;
  let byte = index[at] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = index[at] ?? 0;
    dropped = (dropped + 1) * 0x80 + (byte & 0x7f);
  }
  return { at: at + 1, kept: characters - dropped };
}
