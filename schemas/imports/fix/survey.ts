import { guessHeader, type HeaderGuess, isText, isValue } from './guess.ts';
import { LineEnds } from './lines.ts';
import { type Lines, repairRow } from './repair.ts';
import { COMMA, cellsOf, type Dialect, type Row, readRow, rulerAt } from './rows.ts';

/** The form of a file, as its first rows show it. */
export interface Survey {
  readonly dialect: Dialect;
  /** False if commas could be the separator as well. */
  readonly isSeparator: boolean;
  /** The number of fields of the rows that have most of the cells. */
  readonly columns: number;
  /** The place in the text where the header begins, or the first row of a table without one. */
  readonly headerStart: number;
  /** Of the header in the sample. */
  readonly header: Omit<HeaderGuess, 'titles'>;
}

/** The start of a file that shows its form. */
const SAMPLE_CHARACTERS = 256 * 1_024;
const SAMPLE_ROWS = 200;
/** Cells of a wide table that show its form, unless a header can take more rows. */
const SAMPLE_CELLS = 20_000;
const SAMPLE_ROWS_MIN = 40;
/** The least share of rows with the same number of fields, for a separator with as many fields in the first row. */
const SHARE_MIN = 0.5;
/** The same between the first and the last of them, for a separator that the first row does not have. */
const SHARE_BELOW_TITLES_MIN = 0.9;
/** The least share of all cells in rows with the same number of them, which are fewer than the other lines. */
const CELLS_SHARE_MIN = 0.75;

const TAB = 0x09;
const COLON = 0x3a;
const OTHERS = [...';\t|^~'].map((sign) => sign.charCodeAt(0));
/** Signs that may stand between fields, but stand in texts and times too. */
const OFFERED = [...OTHERS, COLON];
/** Signs that hardly stand between fields: they are looked for where nearly all rows of one column have them. */
const RARE = [...'&=*¦·•§，；、\u0001\u001f'];
/** A text in which each comma stands between digits, or in front of a space. */
const PROSE = /^(?:\d,(?=\d)|[^,]|,(?= ))*$/;
/** A line by which Excel is told the separator. */
const SEPARATOR_LINE = /^sep=([;,\t|^~:])\r?(?:\n|$)/i;

/** Looks at the start of a text, with one separator if it is known. */
export function* surveyOf(text: string, known: number | null): Generator<void, Survey> {
  const start = text.slice(0, SAMPLE_CHARACTERS);
  const isCut = start.length < text.length;
  const plain = start.replace(/"[^"]*"?/g, '');
  const count = (lineEnd: RegExp): number => plain.split(lineEnd).length - 1;
  // An LF at the very end can be that of a tool which completes a last line.
  const feeds = count(/\n(?!$)/);
  const returns = count(/\r(?![\r\n])/);
  const survey = yield* surveyBy(start, isCut, known, returns > 0 && feeds === 0);
  if (returns <= feeds || feeds === 0) return survey;
  // LF can end a title or a header that was put above rows with CR. CR in cells leaves rows with other numbers of fields.
  const other = yield* surveyBy(start, isCut, known, true);
  return other.share > survey.share && other.shareWithin === 1 ? other : survey;
}

/** Looks at the start of a text, with one kind of line ends. */
function* surveyBy(
  start: string,
  isCut: boolean,
  known: number | null,
  crEnds: boolean,
): Generator<void, Survey & Pick<Sample, 'share' | 'shareWithin'>> {
  const told = SEPARATOR_LINE.exec(start)?.[1]?.charCodeAt(0);
  const single = known ?? told;
  const comma = yield* sampleOf(start, isCut, { separator: COMMA, crEnds });
  const others: Sample[] = [];
  const isIn = (sign: string) =>
    comma.rows.filter(([cell = '']) => cell.includes(sign)).length > SHARE_MIN * comma.rows.length;
  const rare = comma.columns > 1 ? [] : RARE.filter(isIn).map((sign) => sign.charCodeAt(0));
  for (const separator of single === undefined ? [...OFFERED, ...rare] : [single])
    others.push(yield* sampleOf(start, isCut, { separator, crEnds }));
  const best = single === undefined ? yield* separated(comma, others) : (others[0] ?? comma);
  const rival = best === comma ? others.find(isRegular) : undefined;
  const found = rival ?? best;
  const chosen = found ?? others.find(isPartly) ?? comma;
  yield;
  const skipped = told === undefined ? 0 : 1;
  const { dialect, columns, rows, starts, share, shareWithin } = sampleFrom(chosen, skipped);
  const { titles, ...header } = guessHeader(rows, columns);
  const isSeparator = single !== undefined || (rival === undefined && isSure(chosen, comma, found !== null));
  const headerStart = starts[titles] ?? 0;
  return { dialect, isSeparator, columns, headerStart, header, share, shareWithin };
}

/** True if commas cannot be the separator as well. */
function isSure(chosen: Sample, comma: Sample, isFound: boolean): boolean {
  const { share, broken, rows, dialect } = chosen;
  // The first row could have the names, with commas between them.
  if (rows[0]?.length !== chosen.columns && mayHaveNames(comma, chosen)) return false;
  return (
    (isFound && share > comma.share && !areAliases(chosen) && OTHERS.includes(dialect.separator)) ||
    broken < comma.broken ||
    // Numbers of lines can stand before each of them.
    (dialect.separator === TAB &&
      share === 1 &&
      !(comma.share === 1 && isValue(rows[0]?.[0]?.trim() ?? ''))) ||
    areProse(comma, chosen)
  );
}

/** The reading with the most likely separator; for one column, with a sign that stands in every row, or null. */
function* separated(comma: Sample, offered: readonly Sample[]): Generator<void, Sample | null> {
  const better: Sample[] = [];
  for (const other of offered) {
    yield;
    if (OTHERS.includes(other.dialect.separator) && isBetter(other, comma)) better.push(other);
  }
  const best = better.reduce((most, other) => (isMore(other, most) ? other : most), better[0] ?? comma);
  if (best !== comma || comma.share > 0) return best;
  return offered.find(({ rows }) => rows.length > 1 && rows.every(({ length }) => length > 1)) ?? null;
}

/** True for a sign that stands in the name of a column, and in some rows. */
function isPartly({ rows: [names = [], ...rows], dialect }: Sample): boolean {
  return dialect.separator !== COLON && names.length > 1 && rows.some(({ length }) => length > 1);
}

/** True for a sign that stands in the names and in each row as often, and hardly in texts and times. */
function isRegular({ share, rows, dialect }: Sample): boolean {
  return share === 1 && rows.length > 2 && dialect.separator !== COLON;
}

/** True if each row has at most one sign, with spaces on both sides: a name and its alias may be one text. */
function areAliases({ rows }: Sample): boolean {
  return rows.every((cells) => /^[^\n]*( \n [^\n]*)?$/.test(cells.join('\n')));
}

/** True for a separator of more rows than another one, or of more columns in as many rows. */
function isMore(one: Sample, other: Sample): boolean {
  return one.share > other.share || (one.share === other.share && one.columns >= other.columns);
}

/** True if all commas of rows stand in numbers, or in front of a space. */
function areProse(comma: Sample, { rows, dialect }: Sample): boolean {
  const separator = String.fromCharCode(dialect.separator);
  return comma.columns > 1 && rows.every((cells) => PROSE.test(cells.join(separator)));
}

/** True if the first row can have the names: by commas, it has as many fields as a table by another separator, and is no sentence. */
function mayHaveNames({ rows: [first = []] }: Sample, { columns }: Sample): boolean {
  return first.length >= columns && !PROSE.test(first.join());
}

/** True for a table that has nothing to do with commas of the first row: a title can have some, but hardly as many as names. */
function isBelow(comma: Sample, other: Sample, titles: number): boolean {
  const [first = []] = comma.rows;
  const [names = [], record = []] = other.rows.slice(titles);
  const isNamed = !mayHaveNames(comma, other) || (names.every(isText) && record.some(isValue));
  return first.length < other.columns || (titles > 0 && comma.share <= other.share && isNamed);
}

interface Rows {
  readonly dialect: Dialect;
  readonly rows: readonly (readonly string[])[];
  /** The place of each row in the text. */
  readonly starts: readonly number[];
  /** The number of rows that break a rule. */
  readonly broken: number;
}

interface Sample extends Rows {
  /** The number of fields of the rows that have most of the cells. */
  readonly columns: number;
  /** The share of rows with that many fields; 0 if that is one field. */
  readonly share: number;
  /** The same from the first to the last of them. */
  readonly shareWithin: number;
}

function* sampleOf(text: string, isCut: boolean, dialect: Dialect): Generator<void, Sample> {
  const lines = { text, dialect, ends: new LineEnds(text, dialect.crEnds) };
  const rows: (readonly string[])[] = [];
  const starts: number[] = [];
  let broken = 0;
  let cells = 0;
  for (
    let at = 0;
    at < text.length && rows.length < (cells < SAMPLE_CELLS ? SAMPLE_ROWS : SAMPLE_ROWS_MIN);
  ) {
    const ruler = rulerAt(text, at, dialect);
    const row = ruler ?? sampleRow(lines, at);
    // The row may end behind the sample.
    if (
      row === null ||
      (isCut && rows.length > 0 && (row.next >= text.length || row.broke === 'unclosed_quote'))
    )
      break;
    at = row.next;
    yield;
    if (row.repaired !== null) broken += 1;
    if (ruler !== null || isNothing(text, row)) continue;
    rows.push(cellsOf(text, row, dialect.separator));
    starts.push(row.start);
    cells += row.columns;
  }
  return sampleFrom({ dialect, rows, starts, broken }, 0);
}

/** True for a blank line, and for an empty cell in quotes. A line of spaces is a row of one cell. */
function isNothing(text: string, { start, end, columns, values }: Row): boolean {
  return columns === 1 && values === 0 && !/\s/.test(text.slice(start, end));
}

function sampleRow(lines: Lines, at: number): Row | null {
  const read = readRow(lines.text, at, lines.dialect, new Uint8Array(1));
  return typeof read === 'string' ? repairRow(lines, at, { expected: 0, broke: read }) : read;
}

function sampleFrom({ dialect, broken, ...all }: Rows, skipped: number): Sample {
  const rows = all.rows.slice(skipped);
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  // A short table below many titles has most of the cells, though not of the rows.
  const cells = ([columns, count]: readonly [number, number]) => (count > 1 ? columns * count : 1);
  const [first = [1, 0]] = counts;
  const [columns, most] = [...counts].reduce(
    (best, each) => (cells(each) > cells(best) ? each : best),
    first,
  );
  const share = columns > 1 ? most / rows.length : 0;
  const isUsual = ({ length }: readonly string[]) => length === columns;
  const shareWithin = most / (rows.findLastIndex(isUsual) - rows.findIndex(isUsual) + 1);
  return { dialect, rows, starts: all.starts.slice(skipped), broken, columns, share, shareWithin };
}

/** A separator is taken for the file's only if the header speaks for it, or nearly every row where there are titles. */
function isBetter(other: Sample, comma: Sample): boolean {
  const { rows, columns, share, shareWithin } = other;
  if (columns < 2 || !(isMore(other, comma) || areProse(comma, other))) return false;
  const first = rows[0]?.length;
  if (first === columns) return share >= SHARE_MIN;
  // Quotes of nearly every row stand in the middle of a field: they are those of other fields.
  const isOdd = comma.broken * 2 > comma.rows.length && other.broken * 2 < comma.broken;
  if (isOdd) return share >= SHARE_MIN || other.broken === 0;
  const { titles } = guessHeader(rows, columns);
  // R writes one name less than there are columns.
  if (titles === 0 && first !== columns - 1) return false;
  if (!isBelow(comma, other, titles)) return false;
  // Names and values above a table have the sign, too.
  const apart = rows.filter(({ length }) => length > 1).length;
  // Rows of many columns are the table, although there are as many short lines.
  const cells = rows.reduce((sum, { length }) => sum + length, 0);
  const isUsual =
    share >= SHARE_MIN ||
    apart >= SHARE_BELOW_TITLES_MIN * rows.length ||
    columns * share * rows.length >= CELLS_SHARE_MIN * cells;
  if (!isUsual || shareWithin < SHARE_BELOW_TITLES_MIN) return false;
  // Two parts of a sentence have a space between them.
  return columns > 2 || rows.slice(titles).find(({ length }) => length > 1)?.[1]?.[0] !== ' ';
}
