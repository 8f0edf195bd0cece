import { codePageOf, codePageText } from './code-pages.ts';

/** Legacy encodings, by names that `TextDecoder` takes, and code pages of DOS. Of two that read a file in the same way, the first is taken. */
export const LEGACY = [
  'Windows-1252',
  'ISO-8859-15',
  'Macintosh',
  'Windows-1250',
  'ISO-8859-2',
  'Windows-1254',
  'Windows-1257',
  'Windows-1251',
  'KOI8-R',
  'KOI8-U',
  'x-mac-cyrillic',
  'IBM866',
  'ISO-8859-5',
  'Windows-1253',
  'Windows-1255',
  'Windows-1256',
  'Windows-1258',
  'Windows-874',
  'GB18030',
  'Big5',
  'Shift_JIS',
  'EUC-JP',
  'EUC-KR',
  'ISO-8859-4',
  'ISO-8859-6',
  'ISO-8859-7',
  'CP850',
  'CP437',
  'CP852',
  'CP857',
  'CP860',
  'CP861',
  'CP862',
  'CP863',
  'CP737',
  'CP775',
] as const;

export type LegacyEncoding = (typeof LEGACY)[number];

/** A reading of the first letters of a file that are not ASCII. */
export interface LegacyReading {
  readonly encoding: LegacyEncoding;
  readonly sample: string;
  /** The share of letters, from 0 to 1, that a text in one language would have. */
  readonly score: number;
}

/** Bytes of the first lines with letters beyond ASCII, which show an encoding. */
const SAMPLE_BYTES = 4 * 1_024;
/** Bytes between two looks at the clock. */
const PIECE_BYTES = 128 * 1_024;
/** The least score of an encoding that is ticked, and its least distance from the next one that reads another text. */
const SCORE_MIN = 0.75;
const LEAD_MIN = 0.08;
/** The least number of letters in which two encodings differ that can speak for one of them, and the least share that does. */
const DIFFERENT_MIN = 4;
const DIFFERENT_SHARE_MIN = 0.5;
/** The bytes of a line before its first letter beyond ASCII that are read as well. */
const CONTEXT_BYTES = 40;
/** The weight of what fits less. */
const LESS_WEIGHT = 0.8;
/** Characters of Chinese, Japanese or Korean below which a text says too little. */
const CHARACTERS_MIN = 4;
/** The same for letters of other scripts than Latin. */
const LETTERS_MIN = 8;

const LF = 0x0a;
const CR = 0x0d;
/** The letters beyond ASCII of a language. */
interface Language {
  readonly frequent: string;
  readonly others: RegExp;
}

/** The letters beyond ASCII of languages; behind a space, those that are less frequent, as in a class of a pattern. */
const LANGUAGES = [
  'äöüßéèêàçë áíóúñãõåæøïîôûâœ',
  'éèàêçôâî ûëïùœæÿ',
  'áéíóúñ ü',
  'ãçáéíõóúâêô à',
  'åäöéæø',
  'àèéìòù í',
  'áðéíóúýþæö',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýž',
  'áäčďéíľňóôšťúýž ĺŕ',
  'áéíóöőúüű',
  'ăâîşţ',
  'čćđšž',
  'ışğçöüi̇ âîû',
  'āčēģīķļņšūž',
  'ąčęėįšųūž',
  'õäöü šž',
  'оеаинтсрвлкмдпу а-яё',
  'оаинівретсклумдпя а-щьюєїґ',
  'αοιετσνηυρπκμλςάίόέήύώ γδθχφβξζψϊ',
  'יוהלאתרמבנש \\p{sc=Hebr}',
  'اليمونرتبةعدسفهكقحج \\p{sc=Arab}',
  'านรอกเงมยลวดทสตะปบคหแจ \\p{sc=Thai}',
].map(languageOf);
/** Its letters alone are those of many languages in other encodings. */
const VIETNAMESE = languageOf('ăâđêôơư áàéèíóòúùýạ');
/** The weight of rare encodings, in which texts of others can be read. */
const RARE_WEIGHT = 0.95;
/** The same for code pages of DOS with Latin letters, so that a letter or two in another encoding are no doubt. */
const DOS_WEIGHT = 0.9;
const LATIN_DOS = /^CP(?!737|862)/;
const RARE: readonly LegacyEncoding[] = [
  'Macintosh',
  'x-mac-cyrillic',
  'ISO-8859-2',
  'ISO-8859-4',
  'Windows-1257',
  'Windows-1258',
];
/** The weight of a text in which one letter alone speaks for its encoding. */
const SINGLE_WEIGHT = 0.9;

/** Signs that stand in texts of all languages. */
const SIGNS = /[\u00a0€£§°µ²³½·’‘“”„–—…«»©®™•¡¿ªº×№、。「」・ー！-～]/u;

/** Reads the start of a file in each encoding in which it can be read, the most likely one first. */
export function* legacyReadings(bytes: Uint8Array): Generator<void, LegacyReading[]> {
  const sample = yield* sampleOf(bytes);
  const readings: LegacyReading[] = [];
  for (const encoding of LEGACY) {
    const text = decodedIn(encoding, sample);
    if (text !== null) readings.push({ encoding, sample: text, score: scoreOf(encoding, text, sample) });
    yield;
  }
  return readings.sort((left, right) => right.score - left.score);
}

/** The start of a text in an encoding, or null if it has bytes that the encoding does not have. */
function decodedIn(encoding: LegacyEncoding, sample: Uint8Array): string | null {
  const page = codePageOf(encoding);
  if (page !== null) return codePageText(page, sample);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}

/** True if the first reading is so much better than the others that it is offered. */
export function isLikely([first, ...others]: readonly LegacyReading[]): boolean {
  if (first === undefined || first.score < SCORE_MIN) return false;
  const next = others.find(({ sample }) => sample !== first.sample);
  if (next === undefined) return true;
  const lead = first.score - next.score;
  return lead >= LEAD_MIN || speaksFor(first.sample, next.sample, lead);
}

/** True if the letters in which two readings differ, few as they are, speak for the first one. */
function speaksFor(first: string, next: string, lead: number): boolean {
  if (first.length !== next.length) return false;
  let all = 0;
  let different = 0;
  for (let at = 0; at < first.length; at += 1) {
    if (first.charCodeAt(at) < 0x80) continue;
    all += 1;
    if (first[at] !== next[at]) different += 1;
  }
  return different >= DIFFERENT_MIN && lead * all >= DIFFERENT_SHARE_MIN * different;
}

function* sampleOf(bytes: Uint8Array): Generator<void, Uint8Array> {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let size = 0;
  let start = 0;
  for (let at = 0; at < bytes.length && size < SAMPLE_BYTES; at += 1) {
    if (at % PIECE_BYTES === 0) yield;
    if (isLineEnd(bytes[at])) start = at + 1;
    if ((bytes[at] as number) < 0x80) continue;
    const from = Math.max(start, at - CONTEXT_BYTES);
    const most = Math.min(bytes.length, from + SAMPLE_BYTES - size);
    while (at < most && !isLineEnd(bytes[at])) at += 1;
    const part = bytes.subarray(from, Math.min(most, at + 1));
    sample.set(part, size);
    size += part.length;
    start = at + 1;
  }
  return sample.subarray(0, size);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

function scoreOf(encoding: LegacyEncoding, text: string, bytes: Uint8Array): number {
  switch (encoding) {
    case 'GB18030':
      return 0.9 * pairShare(bytes, [0xb0, 0xd7], 0xa1);
    case 'Big5':
      return 0.9 * pairShare(bytes, [0xa4, 0xc6], 0x40);
    case 'EUC-KR':
      return pairShare(bytes, [0xb0, 0xc8], 0xa1);
    case 'EUC-JP':
    case 'Shift_JIS':
      // Japanese without any kana is rare, and Chinese and Korean read like it.
      return shareOf(text, /[ぁ-ヿ]/u, /\p{Script=Han}/u);
    default:
      return letterScore(text, encoding);
  }
}

/** The share of characters of two bytes that the standard lists as frequent, by their first byte and the least second one. */
function pairShare(bytes: Uint8Array, [from, to]: readonly [number, number], trailMin: number): number {
  let all = 0;
  let frequent = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    at += 1;
    // Full-width signs count for nothing.
    if (lead >= 0xa1 && lead <= 0xa3) continue;
    all += 1;
    if (lead >= from && lead <= to && (bytes[at] ?? 0) >= trailMin) frequent += 1;
  }
  return all < CHARACTERS_MIN ? 0 : frequent / all;
}

/** The share of characters of a script among those that are not ASCII; those of a less telling one count less. */
function shareOf(text: string, script: RegExp, less: RegExp): number {
  const weight = (character: string, before: string, after: string): number => {
    if (/[a-z]/i.test(before) && /[a-z]/i.test(after)) return -1;
    if (script.test(character)) return 1;
    return less.test(character) ? LESS_WEIGHT : 0;
  };
  let all = 0;
  let own = 0;
  for (const { 0: character, index } of text.matchAll(/\P{ASCII}/gu)) {
    if (SIGNS.test(character)) continue;
    all += 1;
    own += weight(character, text[index - 1] ?? '', text[index + 1] ?? '');
  }
  return all < CHARACTERS_MIN ? 0 : Math.max(0, own / all);
}

function rareWeightOf(encoding: LegacyEncoding): number {
  if (LATIN_DOS.test(encoding)) return DOS_WEIGHT;
  return RARE.includes(encoding) ? RARE_WEIGHT : 1;
}

/** The score of a text in letters: the share of those of the language that fits best, less what no text has. */
function letterScore(text: string, encoding: LegacyEncoding): number {
  const rare = rareWeightOf(encoding);
  let all = 0;
  let faults = 0;
  const counts = new Map<string, number>();
  for (const { 0: character, index } of text.matchAll(/\P{ASCII}/gu)) {
    const [before, after] = [text[index - 1] ?? '', text[index + 1] ?? ''];
    if (isSign(character, before, after)) continue;
    all += 1;
    if (isFault(character, before, after)) faults += 1;
    const letter = character.toLowerCase();
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // Nothing but signs, such as a currency.
  if (all === 0) return rare;
  const languages = encoding === 'Windows-1258' ? [VIETNAMESE] : LANGUAGES;
  const best = Math.max(...languages.map((language) => weightOf(counts, language)));
  const weight = rare * (counts.size === 1 ? SINGLE_WEIGHT : 1);
  // A few bytes of any encoding can be letters of another script.
  const isFew = all < LETTERS_MIN && /[^\P{L}\p{Script=Latin}]/u.test(text);
  return Math.max(0, ((best - faults) / all) * (isFew ? LESS_WEIGHT ** 2 : weight));
}

function languageOf(letters: string): Language {
  const [frequent = '', others = ''] = letters.split(' ');
  return { frequent, others: new RegExp(`[${others}]`, 'u') };
}

function weightOf(counts: ReadonlyMap<string, number>, { frequent, others }: Language): number {
  let weight = 0;
  for (const [letter, count] of counts) {
    weight += count * (frequent.includes(letter) ? 1 : others.test(letter) ? LESS_WEIGHT : 0);
  }
  return weight;
}

/** True for a sign outside of words. A power behind a letter that is no unit is a letter in another encoding. */
function isSign(character: string, before: string, after: string): boolean {
  if (!SIGNS.test(character) || (/[²³]/.test(character) && /[^\P{L}m]/u.test(before))) return false;
  if (/[ºª]/.test(character)) return /[\p{L}\d.]/u.test(before);
  // Before a word, they are letters in another encoding.
  if (/[£§°µ’]/.test(character) && /[^\P{L}\p{ASCII}]/u.test(after) && !/\p{L}/u.test(before)) return false;
  return /[’·]/.test(character) || !(/\p{L}/u.test(before) && /\p{L}/u.test(after));
}

/** True for a mark that can stand on the character before it. */
function isMarked(mark: string, before: string): boolean {
  return /[\p{L}\p{M}]/u.test(before) && (before > '\x7f' || /\p{Script=Inherited}/u.test(mark));
}

function isInnerCapital(character: string, before: string, after: string): boolean {
  if (!/\p{Lu}/u.test(character)) return false;
  return /\p{Ll}/u.test(before) || (/\p{L}/u.test(before) && /\p{Ll}/u.test(after));
}

/** True for a character that no text has there: a capital behind a small letter, or letters of two scripts side by side. */
function isFault(character: string, before: string, after: string): boolean {
  if (!/[\p{L}\p{M}]/u.test(character)) return true;
  if (/\p{M}/u.test(character)) return !isMarked(character, before);
  // Lithuanian has it behind consonants, other languages have ë behind vowels.
  if (character === 'ė' && /[aeiou]/i.test(before)) return true;
  // It ends words, while ø stands inside.
  if (character === 'ų' && /\p{L}/u.test(after)) return true;
  if (/\d/.test(before + after) || isInnerCapital(character, before, after)) return true;
  return !/\p{Script=Latin}/u.test(character) && (/[a-z]/i.test(before) || /[a-z]/i.test(after));
}
