import type { Findings, Part } from './findings.ts';
import { cellsOf, type Dialect, lineCounter, lineOf, type Row } from './rows.ts';

/** The rows below a header, and what makes a row one of the table. */
export interface Table {
  readonly text: string;
  readonly dialect: Dialect;
  /** The last row of the header; null if there is none. */
  readonly header: Row | null;
  readonly rows: readonly Row[];
  /** The number of columns, with those that are left out. */
  readonly width: number;
  /** The last column that a row has to reach: those behind it have neither a name nor a value. */
  readonly last: number;
  /** The number of rows that are accepted. */
  readonly rowsMax: number;
}

/** The rows that stay, and how they are written. */
export interface Body {
  readonly rows: readonly Row[];
  /** Rows with too few fields get empty ones. */
  readonly fills: boolean;
  /** Empty fields behind the last column are left out. */
  readonly cuts: boolean;
}

/** Rows that are shown for a decision about each. */
const NOTES_MAX = 100;
/** The largest share of rows that are taken for notes: more are rows of another form. */
const NOTES_SHARE_MAX = 0.5;
/** The least share of rows with several values, for a row of one value to be a title. */
const SEVERAL_SHARE_MIN = 0.7;
const TEXT_MAX = 120;
/** The first text of a line that has the sums of the lines above it. */
const TOTAL =
  /^(?:(?:grand|sub)[ -]?)?totals?\b|^(?:overall|gesamt|summe|zwischensumme|somme|suma|totaal|totale|razem|celkem|итого|合計|合计)(?!\p{L})/iu;

/** Finds rows that are no rows of the table, or have another number of fields, and applies the decisions about them. */
export function planBody(findings: Findings, table: Table): Body {
  const named = withoutNotes(findings, table, withoutEmpty(findings, table));
  const { width, last, text } = table;
  const first = (rows: readonly Row[]): number | null =>
    rows[0] === undefined ? null : lineOf(text, rows[0].start);
  const stray = named.filter((row) => row.columns > width && isEmptyBehind(table, row));
  const cuts = stray.length > 0 && findings.add('extras', stray.length, { line: first(stray) });
  const short = named.filter(({ columns }) => columns <= last);
  const fills =
    short.length > 0 && findings.add('fill', short.length, { line: first(short), isTicked: false });
  return { rows: partOf(findings, table, named), fills, cuts };
}

/** True if a row has nothing but white space behind the last column. */
function isEmptyBehind({ text, dialect, width }: Table, row: Row): boolean {
  return cellsOf(text, row, dialect.separator)
    .slice(width)
    .every((cell) => cell.trim() === '');
}

function withoutEmpty(findings: Findings, { rows, width, text }: Table): readonly Row[] {
  const empty = width < 2 ? [] : rows.filter(({ values }) => values === 0);
  const [first] = empty;
  if (first === undefined) return rows;
  const isAgreed = findings.add('emptyRows', empty.length, { line: lineOf(text, first.start) });
  return isAgreed ? rows.filter(({ values }) => values > 0) : rows;
}

/** Leaves out the rows of which a person says that they are none. */
function withoutNotes(findings: Findings, table: Table, rows: readonly Row[]): readonly Row[] {
  const { agreed, leftOut } = findings.choices;
  const found = notesOf(table, rows);
  const decided = rowsAtLines(table, leftOut ?? new Map());
  for (const [row, isOut] of decided) if (isOut && !found.has(row)) found.set(row, false);
  const all = rows.filter((row) => found.has(row));
  if (all.length === 0) return rows;
  const isEvery = agreed.get('notes') ?? false;
  const isOut = (row: Row) => decided.get(row) ?? isEvery;
  const { text } = table;
  const lineAt = lineCounter(text, table.dialect.crEnds);
  const parts = all.slice(0, NOTES_MAX).map(
    (row): Part => ({
      at: lineAt(row.start),
      text: text.slice(row.start, Math.min(row.end, row.start + TEXT_MAX)),
      isAgreed: isOut(row),
    }),
  );
  const isNeeded = [...found.values()].includes(true);
  findings.add('notes', all.length, { parts, isNeeded, isAgreed: all.every(isOut) });
  return rows.filter((row) => !(found.has(row) && isOut(row)));
}

/** Rows that may be titles, footnotes or repeated headers, each with whether its number of fields is wrong. */
function notesOf(table: Table, rows: readonly Row[]): Map<Row, boolean> {
  const { text, header, width, last } = table;
  const names = header === null ? null : text.slice(header.start, header.end);
  const several = rows.filter(({ values }) => values > 1).length;
  const hasTitles = several < rows.length && several >= SEVERAL_SHARE_MIN * rows.length;
  const isLong = (row: Row) => row.columns > width && !isEmptyBehind(table, row);
  const odd = rows.filter((row) => row.columns <= last || isLong(row));
  const isOdd = new Set(odd.length <= NOTES_SHARE_MAX * rows.length ? odd : footnotesOf(table, rows));
  const total = rows.findLast((row) => !isOdd.has(row));
  const found = new Map<Row, boolean>();
  for (const row of rows) {
    const isHeader = names?.length === row.end - row.start && text.startsWith(names, row.start);
    const isTitle = hasTitles && row.values === 1;
    const isSum = isTotal(table, row);
    const isNeeded = isOdd.has(row) || isHeader || (isSum && row === total);
    if (isNeeded || isTitle || isSum) found.set(row, isNeeded);
  }
  return found;
}

/** The last rows, as long as they are short and have one value. */
function footnotesOf({ last }: Table, rows: readonly Row[]): readonly Row[] {
  return rows.slice(rows.findLastIndex(({ columns, values }) => columns > last || values > 1) + 1);
}

function isTotal({ text, dialect }: Table, row: Row): boolean {
  if (row.values < 2) return false;
  const first = cellsOf(text, row, dialect.separator).find((cell) => cell.trim() !== '');
  return TOTAL.test(first?.trim() ?? '');
}

/** The rows in which lines stand, each with the decision about its line. */
function rowsAtLines({ text, dialect, rows }: Table, lines: ReadonlyMap<number, boolean>): Map<Row, boolean> {
  const decided = new Map<Row, boolean>();
  const sorted = [...lines].sort(([left], [right]) => left - right);
  const lineAt = lineCounter(text, dialect.crEnds);
  let next = 0;
  for (const row of rows) {
    if (next === sorted.length) break;
    const from = lineAt(row.start);
    const to = Math.max(from, lineAt(row.next) - 1);
    for (; (sorted[next]?.[0] ?? Infinity) <= to; next += 1) {
      const [line = 0, isOut = false] = sorted[next] ?? [];
      if (line >= from && decided.get(row) !== true) decided.set(row, isOut);
    }
  }
  return decided;
}

/** As many rows as are accepted: the part that the person chooses. */
function partOf(findings: Findings, { rowsMax }: Table, rows: readonly Row[]): readonly Row[] {
  if (rows.length <= rowsMax) return rows;
  const { part } = findings.choices;
  const details = { limit: rowsMax, fault: 'too_many_rows', isTicked: part !== undefined } as const;
  if (!findings.add('rows', rows.length, details)) return rows;
  const from = ((part ?? 1) - 1) * rowsMax;
  return rows.slice(from, from + rowsMax);
}
