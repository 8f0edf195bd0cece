import { inflectedMonth } from './month-names.ts';

/** The parts of a day whose month has a name, in their order, with the number of the month in digits. */
export interface NamedDay {
  readonly parts: readonly string[];
  /** The place of the month. */
  readonly at: number;
  /** The month in Croatian. */
  readonly croatian: number;
}

const TOKEN = /(?:tháng|thg) ?(\d{1,2})|\d+|[\p{L}\p{M}][\p{L}\p{M}\u00a0.׳'’]*/giu;
/** First words of names that have two. */
const FIRST_WORDS = /(^|\P{L})(كانون|تشرين|meán|deireadh) /giu;
/** All that may stand between the parts of a day. */
const BETWEEN = /^[\s.,/()'’_-]*$/u;
/** Words and endings of ordinal numbers around the parts of a day. */
const FILLERS = new Set(
  'de del d den of st nd rd th er re e ej a ko m g gada คศ г года р року º ª ο'.split(' '),
);

/** Reads a day whose month has a name; null if anything stands around it but words that belong to a day. */
export function namedDay(text: string): NamedDay | null {
  const parts: string[] = [];
  let month: Omit<NamedDay, 'parts'> | null = null;
  let end = 0;
  // A space inside of a name is written as one that breaks no word.
  const joined = text.replaceAll(FIRST_WORDS, '$1$2\u00a0');
  for (const { 0: token, 1: numbered, index } of joined.matchAll(TOKEN)) {
    if (!BETWEEN.test(joined.slice(end, index))) return null;
    end = index + token.length;
    const [number, croatian] = monthIn(token, numbered);
    if (number > 0) {
      if (month !== null) return null;
      month = { at: parts.length, croatian };
      parts.push(String(number));
    } else if (/^\d/.test(token)) {
      parts.push(token);
    } else if (!FILLERS.has(token.toLowerCase().replaceAll('.', ''))) {
      return null;
    }
  }
  const isDay = parts.length === 3 && BETWEEN.test(joined.slice(end));
  return isDay && month !== null ? { parts, ...month } : null;
}

/** The month of a token, by its name, or by its number in Vietnamese; 0 for another token. */
function monthIn(token: string, numbered: string | undefined): readonly [month: number, inCroatian: number] {
  if (numbered !== undefined) return [Number(numbered), Number(numbered)];
  return /^\d/.test(token) ? [0, 0] : inflectedMonth(token);
}
