import { type Decoded, decodeAs, type Encoding } from './decode.ts';
import { isLikely, LEGACY, legacyReadings } from './encodings.ts';

/** Decodes a file that is not Unicode in the likeliest of the encodings in which it can be read, or the one that is chosen. */
export function* decodeLegacy(bytes: Uint8Array, chosen: Encoding | null): Generator<void, Decoded | null> {
  const readings = yield* legacyReadings(bytes);
  const first = LEGACY.find((name) => name === chosen);
  const wanted = first === undefined ? readings : [{ encoding: first }, ...readings];
  for (const { encoding } of wanted) {
    const text = yield* decodeAs(encoding, bytes);
    if (text === null) continue;
    const likely = encoding === first || (encoding === readings[0]?.encoding && isLikely(readings));
    return { text, encoding, isLikely: likely, readings };
  }
  return null;
}
