import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { CommandFailure } from '../failure.ts';

const PIECE_BYTES = 64 * 1_024;

/**
 * Reads a regular file as a whole. A link, a FIFO, a device and a file that changes meanwhile are refused: the bytes are those of
 * one file at one time.
 *
 * @throws {CommandFailure} `unreadable_file`, `file_too_large` or `file_changed`
 */
export function readRegularFile(path: string, bytesMax: number): Buffer<ArrayBuffer> {
  const before = entryOf(path);
  requireRegular(path, before, bytesMax);
  // Without waiting for a writer, if the file has become a FIFO since.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = open(path, flags);
  try {
    requireSame(path, before, fstatSync(file, { bigint: true }));
    const bytes = Buffer.alloc(Number(before.size));
    for (let offset = 0; offset < bytes.length; ) {
      const read = readSync(file, bytes, offset, Math.min(PIECE_BYTES, bytes.length - offset), offset);
      requireSame(path, before, fstatSync(file, { bigint: true }));
      if (read === 0) throw changed(path);
      offset += read;
    }
    requireSame(path, before, fstatSync(file, { bigint: true }));
    requireSame(path, before, entryOf(path));
    return bytes;
  } finally {
    closeSync(file);
  }
}

function entryOf(path: string): BigIntStats {
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (entry === undefined) throw unreadable(`${path} does not exist.`);
  return entry;
}

function open(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw unreadable(`${path} cannot be read: ${code}.`);
  }
}

function requireRegular(path: string, entry: BigIntStats, bytesMax: number): void {
  if (!entry.isFile())
    throw unreadable(`${path} is not a regular file. Links, FIFOs and devices are refused.`);
  if (entry.size > BigInt(bytesMax)) {
    throw new CommandFailure(`${path} has ${entry.size} bytes. At most ${bytesMax} are read.`, {
      code: 'file_too_large',
      exit: 'limit',
    });
  }
}

function requireSame(path: string, before: BigIntStats, now: BigIntStats): void {
  const isSame =
    now.isFile() &&
    now.dev === before.dev &&
    now.ino === before.ino &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs &&
    now.ctimeNs === before.ctimeNs;
  if (!isSame) throw changed(path);
}

function changed(path: string): CommandFailure {
  return new CommandFailure(`${path} changed while the tool was reading it. Nothing was sent.`, {
    code: 'file_changed',
    exit: 'failed',
  });
}

function unreadable(message: string): CommandFailure {
  return new CommandFailure(message, { code: 'unreadable_file', exit: 'usage' });
}
