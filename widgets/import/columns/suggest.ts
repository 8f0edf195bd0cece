import type { Field } from '../api.ts';
import type { Mapping } from '../mapping.ts';
import { canHold } from './samples.ts';

/** A column of a file with its first cells, where these are known. */
interface Column {
  readonly name: Name;
  readonly cells: readonly string[];
}

/** A field with all of its names. */
interface Target {
  readonly field: Field;
  readonly names: readonly Name[];
}

/**
 * Suggests a target for each column, by the names of the fields, their labels and their aliases: first the same name, whatever its
 * case and punctuation, then one that differs in accents, then one with the same words or usual other words for them, then one
 * whose words are among those of the header, or the other way round. The first cells have to be able to be of the type. If several
 * columns or fields fit as well, it suggests none of them.
 *
 * @param sample the first rows of the file
 */
export function suggest(
  headers: readonly string[],
  fields: readonly Field[],
  sample: readonly (readonly string[] | null)[] = [],
): Mapping {
  const columns = headers.map(
    (name, at): Column => ({
      name: formsOf(name),
      cells: sample.map((row) => row?.[at] ?? ''),
    }),
  );
  const targets = fields.map((field): Target => ({ field, names: namesOf(field).map(formsOf) }));
  const mapping: (string | null)[] = headers.map(() => null);
  for (const match of [isSame, isSimilar, isEqual, isAmong]) {
    const fits = ({ name, cells }: Column, { field, names }: Target) =>
      names.some((each) => match(name, each)) && canHold(field, cells);
    const free = targets.filter(({ field }) => !mapping.includes(field.key));
    const open = columns.filter((_, at) => mapping[at] === null);
    for (const target of free) {
      const [column, ...others] = open.filter((each) => fits(each, target));
      if (column === undefined || others.length > 0) continue;
      if (free.filter((each) => fits(column, each)).length === 1)
        mapping[columns.indexOf(column)] = target.field.key;
    }
  }
  return mapping;
}

function namesOf({ key, label, aliases = [] }: Field): readonly string[] {
  return [key, ...(label === undefined ? [] : [label]), ...aliases];
}

/** Letters of which Unicode makes no letter with an accent. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', ı: 'i' };
/**
 * Accents of Latin, Greek and Cyrillic letters, and signs of vowels that Hebrew and Arabic can leave out. The marks of other scripts,
 * such as the vowels of Devanagari, make another word.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\p{Cf}]/gu;

function plain(text: string): string {
  const letters = text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  return letters.replace(/[ßøđłæœı]/giu, (letter) => PLAIN[letter.toLowerCase()] ?? letter);
}

function wordsOf(name: string): string[] {
  const apart = plain(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  return apart.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
}

/** The forms in which names are compared. Each is made once: a schema can have two thousand names. */
interface Name {
  /** Its letters and digits. */
  readonly letters: string;
  /** Without accents, also where a second letter stands for one, as in German addresses. */
  readonly spellings: readonly string[];
  /** With the usual word for each thing. */
  readonly words: readonly string[];
}

function formsOf(name: string): Name {
  const spelled = name.normalize().replace(/[äöü]/gi, '$&e');
  return {
    letters: name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
    spellings: [name, spelled].map((each) => wordsOf(each).join('')),
    words: usualWords(name),
  };
}

function isSame({ letters }: Name, other: Name): boolean {
  return letters === other.letters && letters !== '';
}

function isSimilar({ spellings }: Name, other: Name): boolean {
  return other.spellings.some((each) => each !== '' && spellings.includes(each));
}

/** Usual other words for one thing, each line behind the one that stands for it. */
const SYNONYMS = `email: e mail, mail, email address, e mail address, mail address
first name: given name, forename
last name: family name, surname
phone: telephone, tel, phone number, telephone number
postal code: zip, zip code, postcode, post code
birthdate: date of birth, birth date, birthday, dob
quantity: qty
amount: amt
number: nr, num
company: organization, organisation`
  .split('\n')
  .flatMap((line) => {
    const [word = '', others = ''] = line.split(': ');
    return others.split(', ').map((other) => [other, word] as const);
  })
  // A longer one can have a shorter one in it.
  .sort(([left], [right]) => right.length - left.length);

/** The words of a name, with the usual one for each thing. */
function usualWords(name: string): string[] {
  // Elsewhere it is no number.
  let text = ` ${wordsOf(name).join(' ')} `.replace(/ no $/, ' number ');
  for (const [other, word] of SYNONYMS) {
    if (!text.includes(` ${word} `)) text = text.replace(` ${other} `, ` ${word} `);
  }
  return text.split(' ').filter((word) => word !== '');
}

function isEqual({ words }: Name, other: Name): boolean {
  return words.length > 0 && words.length === other.words.length && haveAll(words, other.words);
}

function haveAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => words.includes(word));
}

/** Words of scripts that put no space between them. One character alone says too little. */
const UNSPACED =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}\p{M}ー]{2,}$/u;

function isAmong({ spellings, words }: Name, other: Name): boolean {
  const [fewer, more] = words.length < other.words.length ? [words, other.words] : [other.words, words];
  if (fewer.length > 0 && haveAll(more, fewer)) return true;
  const [[one = ''], [another = '']] = [spellings, other.spellings];
  const [shorter, longer] = one.length < another.length ? [one, another] : [another, one];
  return UNSPACED.test(shorter) && longer.includes(shorter);
}
