import { codePageOf, codePageText } from './code-pages.ts';
import { type Decoded, decodeAs, type Encoding } from './decode.ts';
import { isLikely, LEGACY, type LegacyEncoding, legacyReadings } from './encodings.ts';

/** Decodes a file that is not Unicode in the likeliest of the encodings in which it can be read, or the one that is chosen. */
export function* decodeLegacy(bytes: Uint8Array, chosen: Encoding | null): Generator<void, Decoded | null> {
  const readings = yield* legacyReadings(bytes);
  const first = LEGACY.find((name) => name === chosen);
  const wanted = first === undefined ? readings : [{ encoding: first }, ...readings];
  for (const { encoding } of wanted) {
    const text = yield* decodedIn(encoding, bytes);
    if (text === null) continue;
    const likely = encoding === first || (encoding === readings[0]?.encoding && isLikely(readings));
    return { text, encoding, isLikely: likely, readings };
  }
  return null;
}

/** Bytes that are decoded at once. */
const PIECE_BYTES = 64 * 1_024;

function* decodedIn(encoding: LegacyEncoding, bytes: Uint8Array): Generator<void, string | null> {
  const page = codePageOf(encoding);
  if (page === null) return yield* decodeAs(encoding, bytes);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = codePageText(page, bytes.subarray(start, start + PIECE_BYTES));
    if (piece === null) return null;
    pieces.push(piece);
    yield;
  }
  return pieces.join('');
}
