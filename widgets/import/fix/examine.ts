import { decode, type Encoding } from './decode.ts';
import { type Choices, type Finding, Findings, type Refusal } from './findings.ts';
import { type HeaderPlan, planHeader } from './header.ts';
import { type PreviewLine, previewOf } from './preview.ts';
import { COMMA, cellsOf, type Dialect, lineOf, type Row, readRow, repairRow } from './rows.ts';
import { type Survey, surveyOf } from './survey.ts';
import { type WritePlan, write } from './write.ts';

/** The result of a look at a file. */
export interface Examination {
  readonly encoding: Encoding;
  readonly separator: string;
  /** Data rows and columns, as the file is read. */
  readonly rows: number;
  readonly columns: number;
  readonly findings: readonly Finding[];
  /** The refusal that a declined change leaves, or that no change can remove. */
  readonly refusal: (Refusal & { readonly canBeRemoved: boolean }) | null;
  readonly preview: readonly PreviewLine[];
  /** The file with the agreed changes; null if there are none, or the service would refuse it. */
  readonly corrected: Uint8Array<ArrayBuffer> | null;
}

/** More rows than any plan allows. */
const ROWS_MAX = 100_000;
/** More columns than the service accepts. */
const COLUMNS_MAX = 1_000;
/** Words that show an encoding, and the characters of each around its first letter that depends on it. */
const WORDS_MAX = 3;
const WORD_MAX = 20;
/** Letters after which no further word is looked for. */
const LETTERS_MAX = 200;
/** Characters between two looks at the clock. */
const SLICE_CHARACTERS = 32 * 1_024;

/**
 * Looks for what the service would refuse or misread in a file, and makes the file with the changes that a person agrees
 * to. Values stay as they are. It yields after each small part, so that a page can do other work.
 *
 * @returns null for a file that is no text or beyond every limit
 */
export function* examine(bytes: Uint8Array, choices: Choices): Generator<void, Examination | null> {
  const decoded = yield* decode(bytes);
  if (decoded === null) return null;
  const findings = new Findings(choices);
  const { encoding } = decoded;
  if (encoding !== 'UTF-8') {
    findings.add('encoding', 1, { examples: wordsOf(decoded.text), fault: 'invalid_utf8' });
  }
  const text = withoutNul(decoded.text, findings);
  const separated = yield* readSeparated(text, findings);
  if (separated === null) return null;
  const { survey, read } = separated;
  const { broken } = read;
  const titles = broken === null ? agreedTitles(text, survey, read, findings) : 0;
  // Other columns have values if the titles stay.
  const kept = titles === survey.titles ? read : yield* readAll(text, survey, 0);
  if (kept === null) return null;
  const rows = kept.rows.slice(titles);
  if (broken === null) noteBreaks(text, survey.dialect, [...rows, ...kept.blank], findings);
  const plan = planOf(text, survey, rows, { findings, filled: kept.filled });
  const refusal = broken ?? findings.refusal;
  const isChanged = refusal === null && findings.all.some(({ isAgreed }) => isAgreed);
  return {
    encoding,
    separator: String.fromCharCode(survey.dialect.separator),
    rows: Math.max(0, plan.rows.length - 1),
    columns: survey.columns,
    findings: findings.all,
    refusal: refusal && { ...refusal, canBeRemoved: broken === null },
    preview: previewOf(plan, read.rows, encoding),
    corrected: isChanged ? yield* write(plan) : null,
  };
}

/** The rows of a text, up to the first one that cannot be repaired. */
interface Reading {
  readonly rows: readonly Row[];
  /** Blank lines that break a rule. */
  readonly blank: readonly Row[];
  /** 1 for each column with a value below the header. */
  readonly filled: Uint8Array;
  readonly broken: Refusal | null;
}

function* readAll(text: string, survey: Survey, titles: number): Generator<void, Reading | null> {
  const filled = new Uint8Array(COLUMNS_MAX + 1);
  const rows: Row[] = [];
  const blank: Row[] = [];
  let slice = 0;
  for (let at = 0; at < text.length; ) {
    const row = readOrRepair(text, at, survey, filled);
    if ('code' in row) return { rows, blank, filled, broken: row };
    at = row.next;
    if (row.end > row.start) rows.push(row);
    else if (row.broke !== null) blank.push(row);
    if (rows.length <= titles + 1) filled.fill(0);
    if (rows.length > ROWS_MAX || row.columns > COLUMNS_MAX) return null;
    if (at - slice >= SLICE_CHARACTERS) {
      slice = at;
      yield;
    }
  }
  return { rows, blank, filled, broken: null };
}

function readOrRepair(text: string, at: number, survey: Survey, filled: Uint8Array): Row | Refusal {
  const { dialect, columns: expected } = survey;
  const read = readRow(text, at, dialect, filled);
  if (typeof read !== 'string') return read;
  const row = repairRow(text, at, dialect, { expected, broke: read });
  if (row === null) return { code: read, line: lineOf(text, at) };
  row.repaired?.forEach((cell, column) => {
    if (cell !== '') filled[column] = 1;
  });
  return row;
}

function withoutNul(text: string, findings: Findings): string {
  const first = text.indexOf('\0');
  if (first === -1) return text;
  const without = text.replaceAll('\0', '');
  findings.add('nul', text.length - without.length, { line: lineOf(text, first), fault: 'nul_byte' });
  return without;
}

interface Separated {
  readonly survey: Survey;
  readonly read: Reading;
}

/** Reads a text by its separator, or by commas if the person declines another one. */
function* readSeparated(text: string, findings: Findings): Generator<void, Separated | null> {
  const survey = surveyOf(text, false);
  const { separator } = survey.dialect;
  const read = yield* readAll(text, survey, survey.titles);
  if (read === null || separator === COMMA) return read && { survey, read };
  const byComma = surveyOf(text, true);
  if (read.broken !== null) {
    // The service would accept the file, so this is not its separator.
    const sound = yield* readAll(text, byComma, byComma.titles);
    if (sound !== null && isSound(byComma, sound)) return { survey: byComma, read: sound };
  }
  if (findings.add('separator', 1, { examples: [String.fromCharCode(separator)] })) return { survey, read };
  const plain = yield* readAll(text, byComma, byComma.titles);
  return plain && { survey: byComma, read: plain };
}

/** True if no row breaks a rule of the service. */
function isSound({ dialect }: Survey, { rows, blank, broken }: Reading): boolean {
  return (
    !dialect.crEnds && broken === null && blank.length === 0 && rows.every(({ broke }) => broke === null)
  );
}

/** Notes the rows that break a rule and could be repaired. */
function noteBreaks(text: string, { crEnds }: Dialect, rows: readonly Row[], findings: Findings): void {
  if (crEnds) findings.add('lineEnds', rows.length, { line: 1, fault: 'lone_cr' });
  const returns = rows.filter(({ broke }) => broke === 'lone_cr');
  const quotes = rows.filter(({ broke }) => broke !== null && broke !== 'lone_cr');
  for (const [kind, found] of [['returns', returns] as const, ['quotes', quotes] as const]) {
    const [first] = found;
    if (first === undefined) continue;
    const fault = kind === 'returns' ? 'lone_cr' : 'stray_quote';
    findings.add(kind, found.length, { line: lineOf(text, first.start), fault });
  }
}

/** The number of rows above the header that the person agrees to leave out. */
function agreedTitles(
  text: string,
  { titles, dialect }: Survey,
  { rows }: Reading,
  findings: Findings,
): number {
  if (titles === 0 || rows.length <= titles) return 0;
  const examples = rows.slice(0, titles).map((row) => {
    const cells = cellsOf(text, row, dialect.separator);
    return cells.filter((cell) => cell.trim() !== '').join(' ');
  });
  return findings.add('titles', titles, { examples, line: 1 }) ? titles : 0;
}

function planOf(
  text: string,
  { dialect, columns }: Survey,
  rows: readonly Row[],
  { findings, filled }: { readonly findings: Findings; readonly filled: Uint8Array },
): WritePlan {
  const { separator } = dialect;
  const [header] = rows;
  if (header === undefined) return { text, separator, rows, names: null, dropped: [] };
  const plan: HeaderPlan = planHeader(findings, {
    names: cellsOf(text, header, separator),
    line: lineOf(text, header.start),
    filled,
    columns,
    hasRows: rows.length > 1,
  });
  const names = plan.isRenamed || plan.dropped.length > 0 ? plan.names : null;
  return { text, separator, rows, names, dropped: plan.dropped };
}

/** Words with letters that depend on the encoding, by which a person sees if it is right. */
function wordsOf(text: string): string[] {
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
