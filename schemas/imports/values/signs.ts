/** Characters of a cell that is read as a day, a number or a word. A longer one stays out. */
export const CELL_CHARACTERS_MAX = 128;

/** The characters of the digit zero in other scripts, whose digits follow one another. */
const ZEROS = '٠۰०০੦૦୦௦౦೦൦๐໐༠၀០᠐０';

/** Marks that set the direction of a text. */
const DIRECTIONS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const ASCII = /^[\x20-\x7e]*$/;

/** Writes digits and signs of other scripts as those of ASCII, and each kind of space as one; drops marks of direction, and spaces around. */
export function plainSigns(cell: string): string {
  if (ASCII.test(cell)) return cell.trim();
  return cell
    .replaceAll(DIRECTIONS, '')
    .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replaceAll(/[\u2212\u2012\u2013\ufe63\uff0d]/gu, '-')
    .replaceAll('\uff0b', '+')
    .replaceAll(/[\uff0c\u060c]/gu, ',')
    .replaceAll('\uff0e', '.')
    .replaceAll('\uff0f', '/')
    .replaceAll(/[\uff05\u066a]/gu, '%')
    .replaceAll(/[\u2019\u066c\uff07]/gu, "'")
    .replaceAll(/\s/gu, ' ')
    .trim();
}

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  for (const zero of ZEROS) {
    const value = code - zero.charCodeAt(0);
    if (value >= 0 && value <= 9) return String(value);
  }
  return digit;
}

/** A word in small letters, without accents of Latin, Greek and Cyrillic letters, and without spaces around. */
export function folded(word: string): string {
  const small = word.trim().toLowerCase();
  if (ASCII.test(small)) return small;
  return small
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .replaceAll('ı', 'i')
    .normalize('NFC');
}
