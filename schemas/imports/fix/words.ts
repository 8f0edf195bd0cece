import { STEP_CHARACTERS } from './steps.ts';

/** Words that show an encoding, and the characters of each around its first letter that depends on it. */
const WORDS_MAX = 3;
const WORD_MAX = 20;
/** Letters after which no further word is looked for. */
const LETTERS_MAX = 200;

/** Words with letters that depend on the encoding, by which a person sees if it is right. */
export function* wordsOf(text: string): Generator<void, string[]> {
  const words = new Set<string>();
  let end = 0;
  let letters = 0;
  for (let from = 0; from < text.length; from += STEP_CHARACTERS) {
    for (const { index } of text.slice(from, from + STEP_CHARACTERS).matchAll(/\P{ASCII}/gu)) {
      const at = from + index;
      letters += 1;
      if (letters > LETTERS_MAX) return [...words];
      if (at < end) continue;
      const [before] = /[\p{L}\p{M}]*$/u.exec(text.slice(Math.max(end, at - WORD_MAX), at)) ?? [''];
      const [after] = /^.[\p{L}\p{M}]*/u.exec(text.slice(at, at + WORD_MAX)) ?? [''];
      end = at + after.length;
      words.add(before + after);
      if (words.size === WORDS_MAX) return [...words];
    }
    yield;
  }
  return [...words];
}
