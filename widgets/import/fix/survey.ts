import { COMMA, cellsOf, type Dialect, readRow, repairRow } from './rows.ts';

/** The form of a file, as its first rows show it. */
export interface Survey {
  readonly dialect: Dialect;
  /** The number of fields that most rows have. */
  readonly columns: number;
  /** The number of rows above the header. */
  readonly titles: number;
  /** The cells of the first rows. */
  readonly rows: readonly (readonly string[])[];
}

/** The start of a file that shows its form. */
const SAMPLE_CHARACTERS = 64 * 1_024;
const SAMPLE_ROWS = 200;
/** A header stands among this many rows. */
const HEADER_ROWS_MAX = 20;
/** The least share of rows with the same number of fields, for a separator with as many fields in the first row. */
const SHARE_MIN = 0.5;
/** The same for a separator that the first row does not have. */
const SHARE_BELOW_TITLES_MIN = 0.9;

const OTHERS = [';', '\t', '|'].map((separator) => separator.charCodeAt(0));
/** A line by which Excel is told the separator. */
const SEPARATOR_LINE = /^sep=([;,\t|])\r?(?:\n|$)/i;
/** A number, a date or a time: no name of a column. */
const VALUE = /^\s*[-+]?\d[\d.,:/ -]*%?\s*$/;

/** Looks at the start of a text. With `commaOnly`, only a comma separates. */
export function surveyOf(text: string, commaOnly: boolean): Survey {
  const start = text.slice(0, SAMPLE_CHARACTERS);
  const crEnds = endsWithCr(start);
  const isCut = start.length < text.length;
  const read = (separator: number): Sample => sampleOf(start, isCut, { separator, crEnds });
  const comma = read(COMMA);
  const told = SEPARATOR_LINE.exec(start)?.[1]?.charCodeAt(0);
  let chosen = comma;
  if (told !== undefined) chosen = commaOnly ? comma : read(told);
  else if (!commaOnly) {
    for (const separator of OTHERS) {
      const other = read(separator);
      if (isBetter(other, comma) && other.share > chosen.share) chosen = other;
    }
  }
  const { dialect, columns, rows } = chosen;
  const titles = told === undefined ? titlesOf(chosen) : 1 + titlesOf(sampleFrom(rows.slice(1), dialect));
  return { dialect, columns, titles, rows };
}

interface Sample {
  readonly dialect: Dialect;
  readonly rows: readonly (readonly string[])[];
  /** The number of fields that most rows have. */
  readonly columns: number;
  /** The share of rows with that many fields; 0 if that is one field. */
  readonly share: number;
}

function sampleOf(text: string, isCut: boolean, dialect: Dialect): Sample {
  const rows: (readonly string[])[] = [];
  for (let at = 0; at < text.length && rows.length < SAMPLE_ROWS; ) {
    const read = readRow(text, at, dialect, new Uint8Array(1));
    // The field may end behind the sample.
    if (isCut && read === 'unclosed_quote' && rows.length > 0) break;
    const row = typeof read === 'string' ? repairRow(text, at, dialect, { expected: 0, broke: read }) : read;
    if (row === null) break;
    at = row.next;
    if (row.end > row.start && !(isCut && at >= text.length && rows.length > 0)) {
      rows.push(cellsOf(text, row, dialect.separator));
    }
  }
  return sampleFrom(rows, dialect);
}

function sampleFrom(rows: Sample['rows'], dialect: Dialect): Sample {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const columns = [...counts].find(([, count]) => count === most)?.[0] ?? 1;
  return { dialect, rows, columns, share: columns > 1 ? most / rows.length : 0 };
}

/** A separator is taken for the file's only if the header speaks for it, or nearly every row where there are titles. */
function isBetter(other: Sample, comma: Sample): boolean {
  const { rows, columns, share } = other;
  if (columns < 2 || share <= comma.share) return false;
  if (rows[0]?.length === columns) return share >= SHARE_MIN;
  const titles = titlesOf(other);
  if (comma.rows[0]?.length !== 1 || titles === 0 || share < SHARE_BELOW_TITLES_MIN - titles / rows.length) {
    return false;
  }
  // Two parts of a sentence have a space between them.
  return columns > 2 || rows[titles]?.[1]?.startsWith(' ') === false;
}

/** The number of rows above the header: they have fewer fields than the columns with values, or hardly a value. */
function titlesOf({ rows, columns }: Sample): number {
  if (columns < 2) return 0;
  const width = Math.max(
    ...rows.map((cells) => (cells.length === columns ? cells.findLastIndex((cell) => cell !== '') + 1 : 0)),
  );
  if (width < 2) return 0;
  const at = rows.slice(0, HEADER_ROWS_MAX).findIndex((cells) => {
    if (cells.length < width || cells.length > columns) return false;
    return cells.filter(hasText).length >= width / 2;
  });
  const titles = rows.slice(0, at);
  if (at < 1 || titles.some(({ length }) => length > columns)) return 0;
  // A row of values is no header, so the rows above it are no titles.
  return rows[at]?.some((cell) => VALUE.test(cell)) === true ? 0 : at;
}

function hasText(cell: string): boolean {
  return cell.trim() !== '';
}

/** True if lines end with CR alone. */
function endsWithCr(text: string): boolean {
  let isQuoted = false;
  let lone = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n') return false;
    else if (character === '\r' && text[at + 1] !== '\n') lone += 1;
  }
  return lone > 0;
}
