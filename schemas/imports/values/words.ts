import { folded } from './signs.ts';
import type { BooleanReading } from './values.ts';

/** Characters of a word for true, false or nothing. */
const WORD_CHARACTERS_MAX = 40;

/** Words for true and for false, folded, by language or custom: of each, those for true stand before the slash. */
const PAIRS: readonly string[] = [
  'yes y/no n',
  'true t/false f',
  '1 -1/0',
  'on/off',
  'enabled/disabled',
  'active/inactive',
  'checked/unchecked',
  'ja j/nein n',
  'wahr/falsch',
  'an ein/aus',
  'ja j/nee n',
  'waar/onwaar',
  'oui o/non n',
  'vrai v/faux f',
  'si s/no n',
  'verdadero v/falso f',
  'vero v/falso f',
  'sim s/nao n',
  'ja j/nej n',
  'ja j/nei n',
  'sand/falsk',
  'sant/usant',
  'sant/falskt',
  'ja/nei',
  'kylla k/ei e',
  'tosi/epatosi',
  'jah/ei',
  'ja/ne',
  'taip/ne',
  'tak t/nie n',
  'prawda/fałsz falsz',
  'ano a/ne n',
  'ano a/nie n',
  'pravda/nepravda',
  'igen i/nem n',
  'igaz/hamis',
  'da d/ne n',
  'da d/nu n',
  'adevarat/fals',
  'po/jo',
  'bai/ez',
  'evet e/hayir h',
  'dogru/yanlis',
  'ya/tidak',
  'co/khong',
  'да д/нет н',
  'да/не',
  'так/ні',
  'так/ни',
  'истина/ложь',
  'ναι/οχι',
  'כן/לא',
  'نعم/لا',
  'بله/خیر',
  'ใช่/ไม่ใช่',
  '是/否',
  '是/不是',
  '对/错',
  'はい/いいえ',
  '예/아니요',
  '예/아니오',
  '네/아니요',
  '참/거짓',
  '✓/✗',
  '✔/✘',
  '☑/☐',
  '☒/☐',
];

/** The words of the service are those of every reading. */
const OWN = { yes: ['true'], no: ['false'] } as const;

/** The readings that know a word of a column: one for each pair, and one of all pairs for words that mean the same in all. */
export function booleanReadings(cells: readonly string[]): BooleanReading[] {
  const words = [...new Set(cells)];
  const pairs = PAIRS.map((pair) => {
    const [yes = '', no = ''] = pair.split('/');
    return { yes: [...OWN.yes, ...yes.split(' ')], no: [...OWN.no, ...no.split(' ')] };
  });
  const all = { yes: pairs.flatMap(({ yes }) => yes), no: pairs.flatMap(({ no }) => no) };
  const found = [...pairs, all].map(({ yes, no }): BooleanReading => {
    const [isYes, isNo] = [new Set(yes), new Set(no)];
    return {
      kind: 'boolean',
      yes: words.filter((word) => isYes.has(word) && !isNo.has(word)),
      no: words.filter((word) => isNo.has(word) && !isYes.has(word)),
    };
  });
  return found.filter(({ yes, no }) => yes.length + no.length > 0);
}

/** The word of a cell, folded, or null for a cell that is too long for one. */
export function wordCell(cell: string): string | null {
  return cell.length > WORD_CHARACTERS_MAX ? null : folded(cell);
}

/** Returns what a word means in a reading: `true` or `false`, or null for another word. */
export function booleanWriter({ yes, no }: BooleanReading): (word: string) => string | null {
  const [isYes, isNo] = [new Set(yes.map(folded)), new Set(no.map(folded))];
  return (word) => {
    if (isYes.has(word) === isNo.has(word)) return null;
    return isYes.has(word) ? 'true' : 'false';
  };
}

const NOTHING = new Set(
  'n/a|na|n.a|n.a.|#n/a|#na|nan|null|(null)|\\n|nil|none|nothing|empty|blank|(blank)|(empty)|<null>|<na>|undefined|undetermined|unknown|not available|not applicable|missing|tbd|tba|.|..|...|…|?|??|???|k.a|k.a.|k. a.|keine angabe|keine|entfällt|unbekannt|nv|n.v.|nvt|n.v.t.|s/o|s/d|s.d.|sin dato|sin datos|ninguno|nessuno|n.d|n.d.|nd|n.c.|nc|néant|sans objet|inconnu|sem dados|desconhecido|brak|bd|b.d.|нет данных|н/д|無|なし|无|없음|#value!|#ref!|#div/0!|#name?|#null!|#num!'.split(
    '|',
  ),
);
const DASHES = /^[-–—_−.*/\\]{1,16}$/u;

/** True for a word that people write where there is no value. */
export function isWordForNothing(value: string): boolean {
  const word = value.trim();
  if (word.length > WORD_CHARACTERS_MAX) return false;
  return word === '' || DASHES.test(word) || NOTHING.has(word.toLowerCase());
}

/** True for a word that may stand for nothing in a column of days or numbers: it has letters or signs only. */
export function hasNoDigit(value: string): boolean {
  return value.length <= WORD_CHARACTERS_MAX && !/\p{N}/u.test(value);
}
