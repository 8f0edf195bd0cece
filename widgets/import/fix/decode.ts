/** Encodings that can be recognised. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** The text of a file, without its byte order mark. */
export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/** Bytes that are decoded at once, which is a small part of a slice. */
const PIECE_BYTES = 128 * 1_024;
/** Bytes at the start of a file that show whether it is UTF-16. */
const SAMPLE_BYTES = 4 * 1_024;
/** A larger share of NUL is no text. */
const NUL_SHARE_MAX = 1 / 8;
/** Bytes that Windows-1252 does not define. */
const UNDEFINED_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** Decodes a file, or returns null if it is text of no known encoding. */
export function* decode(bytes: Uint8Array): Generator<void, Decoded | null> {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) {
    const text = bytes.length % 2 === 0 ? yield* decodeAs(utf16, bytes) : null;
    return text === null ? null : { text, encoding: 'UTF-16' };
  }
  if (hasManyNul(bytes)) return null;
  const utf8 = yield* decodeAs('utf-8', bytes);
  if (utf8 !== null) return { text: utf8, encoding: 'UTF-8' };
  if (!isLikely1252(bytes)) return null;
  const text = yield* decodeAs('windows-1252', bytes);
  return text === null ? null : { text, encoding: 'Windows-1252' };
}

function* decodeAs(label: string, bytes: Uint8Array): Generator<void, string | null> {
  const decoder = new TextDecoder(label, { fatal: true });
  const pieces: string[] = [];
  try {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      pieces.push(decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true }));
      yield;
    }
    pieces.push(decoder.decode());
  } catch {
    return null;
  }
  return pieces.join('');
}

/** By its mark; without one, by the NULs that Latin letters, separators and line ends have in every other byte. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const pairs = Math.min(bytes.length, SAMPLE_BYTES) >> 1;
  const nul = [0, 0] as [number, number];
  for (let at = 0; at < 2 * pairs; at += 1) if (bytes[at] === 0) nul[at & 1 ? 1 : 0] += 1;
  const [even, odd] = nul;
  if (odd > pairs / 3 && even * 20 < odd) return 'utf-16le';
  if (even > pairs / 3 && odd * 20 < even) return 'utf-16be';
  return null;
}

function hasManyNul(bytes: Uint8Array): boolean {
  let nul = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) nul += 1;
  return nul > bytes.length * NUL_SHARE_MAX;
}

/**
 * Excludes UTF-8 with a few damaged bytes: as Windows-1252, all its letters would be wrong. Letters of Windows-1252 rarely
 * stand together in the way that UTF-8 combines bytes.
 */
function isLikely1252(bytes: Uint8Array): boolean {
  let combined = 0;
  let single = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x80) continue;
    if (UNDEFINED_1252.includes(byte)) return false;
    const follows = bytes[at + 1] ?? 0;
    if (byte >= 0xc2 && byte <= 0xf4 && follows >= 0x80 && follows < 0xc0) combined += 1;
    else if (byte >= 0xc0 || (bytes[at - 1] ?? 0) < 0x80) single += 1;
  }
  return combined < single;
}
