import type { Field } from '../api.ts';
import type { Mapping } from '../mapping.ts';
import { canHold } from './samples.ts';

/** A column of a file with its first cells, where these are known. */
interface Column {
  readonly name: string;
  readonly cells: readonly string[];
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
  const columns = headers.map((name, at): Column => ({ name, cells: sample.map((row) => row?.[at] ?? '') }));
  const mapping: (string | null)[] = headers.map(() => null);
  for (const match of [isSame, isSimilar, isEqual, isAmong]) {
    const fits = ({ name, cells }: Column, field: Field) =>
      namesOf(field).some((each) => match(name, each)) && canHold(field, cells);
    const free = fields.filter(({ key }) => !mapping.includes(key));
    const open = columns.filter((_, at) => mapping[at] === null);
    for (const field of free) {
      const [column, ...others] = open.filter((each) => fits(each, field));
      if (column === undefined || others.length > 0) continue;
      if (free.filter((each) => fits(column, each)).length === 1)
        mapping[columns.indexOf(column)] = field.key;
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

function isSame(header: string, name: string): boolean {
  const [left, right] = [header, name].map((each) => each.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
  return left === right && left !== '';
}

/** True without accents, also where a second letter stands for one, as in German addresses. */
function isSimilar(header: string, name: string): boolean {
  const [headers, names] = [header, name].map(spellings);
  return names?.some((each) => each !== '' && headers?.includes(each)) ?? false;
}

function spellings(name: string): string[] {
  const spelled = name.normalize().replace(/[äöü]/gi, '$&e');
  return [name, spelled].map((each) => wordsOf(each).join(''));
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

function isEqual(header: string, name: string): boolean {
  const [left, right] = [header, name].map((each) => usualWords(each).sort().join(' '));
  return left === right && left !== '';
}

/** Words of scripts that put no space between them. One character alone says too little. */
const UNSPACED =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}\p{M}ー]{2,}$/u;

function isAmong(header: string, name: string): boolean {
  const [left, right] = [usualWords(header), usualWords(name)];
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  if (fewer.length > 0 && fewer.every((word) => more.includes(word))) return true;
  const [one, other] = [wordsOf(header).join(''), wordsOf(name).join('')];
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return UNSPACED.test(shorter) && longer.includes(shorter);
}
