import type { Findings } from './findings.ts';
import { inPieces } from './quoting.ts';
import { wordsOf } from './words.ts';

const HIGH_FROM = 0x80;

/** Mends a text that was encoded as UTF-8 twice, the first time read as Windows-1252, if the person agrees: `MÃ¼ller` is `Müller`. */
export function* encodedOnce(text: string, findings: Findings): Generator<void, string> {
  // The characters that the bytes from 0x80 have in Windows-1252.
  const high = new TextDecoder('windows-1252').decode(
    Uint8Array.from({ length: 128 }, (_, at) => HIGH_FROM + at),
  );
  const next = `[${high.slice(0, 64)}]`;
  const twice = new RegExp(`[\\xc2-\\xdf]${next}|[\\xe0-\\xef]${next}{2}|[\\xf0-\\xf4]${next}{3}`, 'g');
  let count = 0;
  let isWhole = true;
  const mended = yield* inPieces(text, (piece) => {
    isWhole &&= !/\P{ASCII}/u.test(piece.replace(twice, ''));
    return piece.replace(twice, (characters) => {
      count += 1;
      return new TextDecoder().decode(
        Uint8Array.from(characters, (character) => HIGH_FROM + high.indexOf(character)),
      );
    });
  });
  if (count === 0) return text;
  const examples = yield* wordsOf(mended);
  return findings.add('encoding', count, { examples, isSure: false, isShown: isWhole }) ? mended : text;
}
