import type { LegacyEncoding } from './encodings.ts';

export type Encoding = 'UTF-8' | 'UTF-16' | 'ISO-2022-JP' | LegacyEncoding;

/** The text of a file, without its byte order mark. */
export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
  /** False if other encodings are as likely. */
  readonly isLikely: boolean;
  /** The encodings in which the file can be read, each with the start of the text; none if it is known. */
  readonly readings: readonly EncodingReading[];
}

export interface EncodingReading {
  readonly encoding: Encoding;
  readonly sample: string;
}

/** Decodes a file that is not Unicode, in the encoding that is chosen if there is one. Returns null for one that is no text. */
export type LegacyDecoder = (bytes: Uint8Array, chosen: Encoding | null) => Generator<void, Decoded | null>;

/** Japanese in ASCII, with escape sequences before the letters. */
const ESCAPED = 'ISO-2022-JP';
const ESCAPES = ['\x1b$@', '\x1b$B'];
/** Bytes that are decoded at once, which is a small part of a slice. */
const PIECE_BYTES = 128 * 1_024;
/** Bytes at the start of a file that show whether it is UTF-16. */
const SAMPLE_BYTES = 4 * 1_024;
/** A larger share of NUL is no text. */
const NUL_SHARE_MAX = 1 / 8;

/**
 * Decodes a file, or returns null if it is no text, or damaged UTF-8: in another encoding, all its letters would be wrong. Without
 * a decoder for them, it returns null for legacy encodings too.
 */
export function* decode(
  bytes: Uint8Array,
  chosen: Encoding | null,
  decodeLegacy?: LegacyDecoder,
): Generator<void, Decoded | null> {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) {
    const text = bytes.length % 2 === 0 ? yield* decodeAs(utf16, bytes) : null;
    return text === null ? null : { text, encoding: 'UTF-16', isLikely: true, readings: [] };
  }
  if (hasManyNul(bytes)) return null;
  const utf8 = yield* decodeAs('utf-8', bytes);
  const isEscaped = ESCAPES.some((sequence) => utf8?.includes(sequence));
  const escaped = isEscaped ? yield* decodeAs(ESCAPED, bytes) : null;
  if (escaped !== null) return { text: escaped, encoding: ESCAPED, isLikely: true, readings: [] };
  if (utf8 !== null) return { text: utf8, encoding: 'UTF-8', isLikely: true, readings: [] };
  if (yield* isDamagedUtf8(bytes)) return null;
  return decodeLegacy === undefined ? null : yield* decodeLegacy(bytes, chosen);
}

/** Decodes a file in one encoding, or returns null if it has bytes that the encoding does not have. */
export function* decodeAs(label: string, bytes: Uint8Array): Generator<void, string | null> {
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
  const most = bytes.length * NUL_SHARE_MAX;
  let nul = 0;
  for (let at = bytes.indexOf(0); at !== -1 && nul <= most; at = bytes.indexOf(0, at + 1)) nul += 1;
  return nul > most;
}

/** True if most bytes beyond ASCII stand together as in UTF-8, which letters of other encodings rarely do. */
function* isDamagedUtf8(bytes: Uint8Array): Generator<void, boolean> {
  let whole = 0;
  let single = 0;
  let slice = 0;
  for (let at = 0; at < bytes.length; ) {
    if (at - slice >= PIECE_BYTES) {
      slice = at;
      yield;
    }
    const byte = bytes[at] as number;
    const length = byte < 0x80 ? 1 : characterLength(bytes, at, byte);
    if (length > 1) whole += 1;
    else if (byte >= 0x80) single += 1;
    at += length;
  }
  return whole >= single;
}

/** The number of bytes that stand together as a character beyond ASCII in UTF-8; 1 if they do not. */
function characterLength(bytes: Uint8Array, at: number, byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  for (let next = at + 1; next < at + length; next += 1) if ((bytes[next] ?? 0) >> 6 !== 2) return 1;
  return length;
}
