import type { Field } from '../api.ts';

/** A day in digits. */
const DAY = /^\p{Nd}{1,4}([-./])\p{Nd}{1,2}\1\p{Nd}{2,4}(?!\p{Nd})/u;
/** Parts of a day with something between them, or its digits alone. */
const DIGITS_OF_DAY = /\p{Nd}\P{Nd}+\p{Nd}+\P{Nd}+\p{Nd}|\p{Nd}[-/]\p{Nd}|^\p{Nd}{6,8}$/u;
const DIGIT = /\p{Nd}/u;
/** A month by its name. */
const MONTH = /\p{L}{3}/u;
/** A code of a currency has three letters. */
const WORD = /\p{L}{4}/u;
/** The characters of a cell that show what it is. */
const CHARACTERS_MAX = 60;
/** Words for true and false, and one for neither. */
const WORDS_MAX = 3;

/**
 * True unless the first cells of a column show that it has something else than the type of a field. The forms of dates, numbers
 * and words are those of any file: a person can correct them.
 */
export function canHold({ type }: Field, cells: readonly string[]): boolean {
  const values = cells.map((cell) => cell.trim().slice(0, CHARACTERS_MAX)).filter((cell) => cell !== '');
  if (values.length === 0) return true;
  switch (type) {
    case 'date':
      return values.some((value) => DIGITS_OF_DAY.test(value) || (DIGIT.test(value) && MONTH.test(value)));
    case 'integer':
    case 'decimal':
      return values.some((value) => DIGIT.test(value) && !WORD.test(value) && !DAY.test(value));
    case 'boolean':
      return new Set(values).size <= WORDS_MAX;
    default:
      return true;
  }
}
