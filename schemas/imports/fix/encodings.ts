import { codePageOf, codePageText } from './code-pages.ts';
import { lettersOf, SIGNS } from './letters.ts';

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
  /** The logarithm of the chance of its letters; minus infinity for an encoding with characters of several bytes. */
  readonly chance: number;
}

/** Bytes of the first lines with letters beyond ASCII, which show an encoding. */
const SAMPLE_BYTES = 4 * 1_024;
/** Bytes between two looks at the clock. */
const PIECE_BYTES = 128 * 1_024;
/** The least score of an encoding without a rival, and its least distance to one with characters of several bytes. */
const SCORE_MIN = 0.75;
const LEAD_MIN = 0.3;
/** The largest score of letters that stand where no text has them. */
const ODD_SCORE_MAX = 0.5;
/** The least distance of the logarithms of two chances to a reading of such letters, and to another one. */
const ODD_LEAD_MIN = Math.log(10_000);
const CHANCES_LEAD_MIN = Math.log(1_000_000);
/** The bytes of a line before its first letter beyond ASCII that are read as well. */
const CONTEXT_BYTES = 40;
/** The weight of what fits less. */
const LESS_WEIGHT = 0.8;
/** Characters of Chinese, Japanese or Korean below which a text says too little. */
const CHARACTERS_MIN = 4;

const LF = 0x0a;
const CR = 0x0d;

/** The chance of an encoding with characters of several bytes, which is not known. */
const SEVERAL = Number.NEGATIVE_INFINITY;
/** Encodings that are rare today, for which a few letters are never enough, and how much less likely they are, as a logarithm. */
const RARE = /^CP|IBM|mac|ISO-8859-[24]|125[78]/i;
const RARE_CHANCE = Math.log(0.04);

/** Reads the start of a file in each encoding in which it can be read, the most likely one first. */
export function* legacyReadings(bytes: Uint8Array): Generator<void, LegacyReading[]> {
  const sample = yield* sampleOf(bytes);
  const readings: LegacyReading[] = [];
  for (const encoding of LEGACY) {
    const text = decodedIn(encoding, sample);
    if (text !== null) readings.push({ encoding, sample: text, ...evidenceOf(encoding, text, sample) });
    yield;
  }
  // Chances put encodings of single bytes in order; behind them, scores do so with those of several.
  readings.sort((left, right) => right.chance - left.chance || right.score - left.score);
  const at = readings.findIndex(({ chance }) => chance === SEVERAL);
  const isFirst = (readings[at]?.score ?? 0) > (readings[0]?.score ?? 0);
  return isFirst ? [...readings.slice(at), ...readings.slice(0, at)] : readings;
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

/** True if the letters of the file leave the first reading without a rival. */
export function isLikely([first, ...others]: readonly LegacyReading[]): boolean {
  if (first === undefined || first.score < SCORE_MIN || RARE.test(first.encoding)) return false;
  return others.every(({ sample, score, chance }) => {
    if (sample === first.sample) return true;
    const lead = first.chance - chance;
    if (!Number.isFinite(lead)) return first.score - score >= LEAD_MIN;
    return score <= ODD_SCORE_MAX ? lead >= ODD_LEAD_MIN : lead >= CHANCES_LEAD_MIN && first.score >= score;
  });
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

function evidenceOf(
  encoding: LegacyEncoding,
  text: string,
  bytes: Uint8Array,
): Pick<LegacyReading, 'score' | 'chance'> {
  const share = shareIn(encoding, text, bytes);
  if (share !== null) return { score: share, chance: SEVERAL };
  const { score, chance } = lettersOf(text);
  return { score, chance: RARE.test(encoding) ? chance + RARE_CHANCE : chance };
}

/** The share of the characters of several bytes that are frequent; null for an encoding without such. */
function shareIn(encoding: LegacyEncoding, text: string, bytes: Uint8Array): number | null {
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
      return shareOf(text, /[ぁ-ヿ]/u, /\p{sc=Han}/u);
    default:
      return null;
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
