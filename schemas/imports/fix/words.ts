/** Words that show an encoding, and the characters of each around its first letter that depends on it. */
const WORDS_MAX = 3;
const WORD_MAX = 20;
/** Letters after which no further word is looked for. */
const LETTERS_MAX = 200;

/** Words with letters that depend on the encoding, by which a person sees if it is right. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  let end = 0;
  let letters = 0;
  for (const { index } of text.matchAll(/\P{ASCII}/gu)) {
    letters += 1;
    if (letters > LETTERS_MAX) break;
    if (index < end) continue;
    const [before] = /[\p{L}\p{M}]*$/u.exec(text.slice(Math.max(end, index - WORD_MAX), index)) ?? [''];
    const [after] = /^.[\p{L}\p{M}]*/u.exec(text.slice(index, index + WORD_MAX)) ?? [''];
    end = index + after.length;
    words.add(before + after);
    if (words.size === WORDS_MAX) break;
  }
  return [...words];
}
