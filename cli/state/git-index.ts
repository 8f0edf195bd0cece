import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { entryAt } from './secure-path.ts';
import { sharedIndexOf } from './split-index.ts';

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
    const gitFolder = gitFolderOf(join(above, '.git'));
    const index = gitFolder === null ? null : readIndex(gitFolder, 'index');
    if (gitFolder !== null && index !== null)
      return hasPathBelow(gitFolder, index, `${relative(above, folder).replaceAll(sep, '/')}/`);
    if (above === dirname(above)) return false;
  }
}

/** Returns the folder of a repository, or null if there is none. In a worktree, `.git` is a file that names the folder. */
function gitFolderOf(repository: string): string | null {
  const entry = entryAt(repository);
  if (entry === null) return null;
  const named = entry.isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(repository, 'utf8'))?.[1] : undefined;
  return named === undefined ? repository : resolve(dirname(repository), named);
}

/** Returns an index of a repository, or null if there is none. */
function readIndex(gitFolder: string, name: string): Buffer | null {
  const path = join(gitFolder, name);
  const entry = entryAt(path);
  const isReadable = entry?.isFile() === true && entry.size <= BigInt(INDEX_BYTES_MAX);
  const index = isReadable ? readFileSync(path) : null;
  const isIndex =
    index !== null &&
    index.length >= HEADER_BYTES &&
    index.toString('latin1', 0, SIGNATURE.length) === SIGNATURE;
  return isIndex ? index : null;
}

/**
 * True if an index has a path that begins with a prefix (https://git-scm.com/docs/index-format). A split index has some entries
 * itself, and most of them in a shared file.
 */
function hasPathBelow(gitFolder: string, index: Buffer, prefix: string): boolean {
  const sought = Buffer.from(prefix).toString('latin1');
  return HASHES_BYTES.some((bytes) => {
    const { paths, end } = readPaths(index, bytes);
    if (paths.some((path) => path.startsWith(sought))) return true;
    const link = end === null ? null : sharedIndexOf(index, end, bytes);
    const shared = link === null ? null : readIndex(gitFolder, `sharedindex.${link.hash}`);
    if (link === null || shared === null) return false;
    return readPaths(shared, bytes).paths.some(
      (path, position) => path.startsWith(sought) && !link.isRemoved(position),
    );
  });
}

/**
 * Reads the paths of an index, until one has another length than its entry says: then the hashes have another size.
 *
 * @returns the paths, and the end of the entries if all of them were read
 */
function readPaths(index: Buffer, hashBytes: number): { paths: string[]; end: number | null } {
  const paths: string[] = [];
  const version = index.readUInt32BE(SIGNATURE.length);
  const flagsOffset = FACTS_BYTES + hashBytes;
  let path = '';
  let start = HEADER_BYTES;
  for (let entries = index.readUInt32BE(8); entries > 0; entries -= 1) {
    if (start + flagsOffset + FLAGS_BYTES >= index.length) return { paths, end: null };
    const flags = index.readUInt16BE(start + flagsOffset);
    let at = start + flagsOffset + ((flags & EXTENDED) === 0 ? FLAGS_BYTES : 2 * FLAGS_BYTES);
    let kept = 0;
    if (version === 4) ({ at, kept } = readKept(index, at, path.length));
    const end = index.indexOf(0, at);
    if (end === -1) return { paths, end: null };
    path = path.slice(0, kept) + index.toString('latin1', at, end);
    if (Math.min(path.length, LENGTH_MASK) !== (flags & LENGTH_MASK)) return { paths, end: null };
    paths.push(path);
    start = version === 4 ? end + 1 : start + Math.ceil((end + 1 - start) / ALIGNMENT) * ALIGNMENT;
  }
  return { paths, end: start };
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
