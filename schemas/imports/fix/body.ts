import type { Findings, Part } from './findings.ts';
import { isText } from './guess.ts';
import { type Doubts, provedNotes, valuedIn } from './proofs.ts';
import { cellsOf, type Dialect, fieldEnd, lineCounter, lineOf, linesOf, type Row } from './rows.ts';
import { filtered } from './slices.ts';

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
/** The largest share of rows without a digit that may be headers. */
const WORDS_SHARE_MAX = 0.05;
const TEXT_MAX = 120;
/** A longer text says something else. */
const TOTAL_MAX = 60;
/** The first text of a line that has the sums or the mean of other lines, in many languages; in some, behind the name of a group. */
const TOTAL =
  /^(?:grand[ -]|sub-?)?totals?\b|(?:^|[\s:])(?:sub)?(?:total[ei]?|totaal|\p{L}*(?:summe|ergebnis)|sum|summa|somm?[ea]?|suma|average|(?:ins)?gesamt|razem|celkem|toplam|итого|всего|сумма|σύνολο|المجموع|סה"כ|รวม)(?:[:(].*)?$|^[总總小合]?[計计][:：]?$|^[총합소]계/iu;

/** Finds rows that are no rows of the table, or have another number of fields, and applies the decisions about them. */
export function* planBody(findings: Findings, table: Table): Generator<void, Body> {
  const named = yield* withoutNotes(findings, table, yield* withoutEmpty(findings, table));
  const { width, last, text } = table;
  const first = (rows: readonly Row[]): number | null =>
    rows[0] === undefined ? null : lineOf(text, rows[0].start);
  const stray = yield* filtered(named, (row) => row.columns > width && isEmptyBehind(table, row));
  const cuts = stray.length > 0 && findings.add('extras', stray.length, { line: first(stray) });
  const short = yield* filtered(named, ({ columns }) => columns <= last);
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

function* withoutEmpty(findings: Findings, { rows, width, text }: Table): Generator<void, readonly Row[]> {
  const empty = width < 2 ? [] : yield* filtered(rows, ({ values }) => values === 0);
  const [first] = empty;
  if (first === undefined) return rows;
  const isAgreed = findings.add('emptyRows', empty.length, { line: lineOf(text, first.start) });
  return isAgreed ? yield* filtered(rows, ({ values }) => values > 0) : rows;
}

/** Leaves out the rows of which a person says that they are none. */
function* withoutNotes(
  findings: Findings,
  table: Table,
  rows: readonly Row[],
): Generator<void, readonly Row[]> {
  const { agreed, leftOut } = findings.choices;
  const doubts = yield* notesOf(table, rows);
  const proved = yield* provedNotes(doubts);
  const found = new Set([...doubts.notes, ...proved]);
  const decided = yield* rowsAtLines(table, leftOut ?? new Map());
  const all = yield* filtered(rows, (row) => found.has(row) || decided.get(row) === true);
  if (all.length === 0) return rows;
  const isOut = (row: Row) => decided.get(row) ?? agreed.get('notes') ?? proved.has(row);
  const { text } = table;
  const listed = all.slice(0, NOTES_MAX);
  const lines = yield* linesOf(text, table.dialect.crEnds, rows, listed);
  const parts = listed.map(
    (row, at): Part => ({
      at: lines[at] ?? 0,
      text: text.slice(row.start, Math.min(row.end, row.start + TEXT_MAX)),
      isAgreed: isOut(row),
    }),
  );
  findings.add('notes', all.length, { parts, isNeeded: found.size > 0, isAgreed: all.every(isOut) });
  const gone = new Set(all.filter(isOut));
  return yield* filtered(rows, (row) => !gone.has(row));
}

/** Rows that may be titles, totals, footnotes or repeated headers: by their number of fields, by their words, and by how empty they are. */
function* notesOf(table: Table, rows: readonly Row[]): Generator<void, Doubts> {
  const { text, dialect, header, width, last } = table;
  const names = header === null ? null : text.slice(header.start, header.end);
  const isLong = (row: Row) => row.columns > width && !isEmptyBehind(table, row);
  const counts: number[] = [];
  const odd = yield* filtered(rows, (row) => {
    counts[row.values] = (counts[row.values] ?? 0) + 1;
    return row.columns <= last || isLong(row);
  });
  const usual = medianOf(counts, rows.length);
  const isFew = odd.length <= NOTES_SHARE_MAX * rows.length;
  const found = new Set(isFew ? odd : footnotesOf(table, rows));
  const totals = yield* totalsOf(table, rows);
  const end = rows.findLastIndex((row) => !found.has(row) && row.values * 2 > usual && !totals.has(row));
  const withoutDigits = yield* wordsAmongNumbers(table, rows);
  const { separator } = dialect;
  const isFirstValued = valuedIn({ text, separator, rows: rows.slice(0, (rows.length + 1) >> 1) })(0);
  const firstOf = (row: Row) => cellsOf(text, row, separator)[0]?.trim() ?? '';
  const words = rows.findLastIndex((row) => !isFirstValued || !isText(firstOf(row))) + 1;
  const edges = [...rows.slice(0, 1), ...rows.slice(-1)].filter((row) => firstOf(row) === '');
  const others = yield* filtered(rows, (row, at) => {
    const isHeader = names?.length === row.end - row.start && text.startsWith(names, row.start);
    const isTitle = row.values === 1 && usual > 2;
    const isBelow = at >= words || (at > end && row.values < usual);
    return isHeader || isTitle || isBelow || totals.has(row) || withoutDigits.has(row);
  });
  for (const row of others) found.add(row);
  const sums = yield* filtered(rows, (row) => totals.has(row) || edges.includes(row));
  return { text, separator, header, rows, notes: found, totals: sums, usual };
}

/** The value in the middle of a number of values, which are counted by value. */
function medianOf(counts: readonly number[], all: number): number {
  let left = all >> 1;
  for (const [value, count = 0] of counts.entries()) {
    left -= count;
    if (left < 0) return value;
  }
  return 0;
}

/** The few rows without a digit in a table of numbers: they can be a header. */
function* wordsAmongNumbers({ text, width }: Table, rows: readonly Row[]): Generator<void, ReadonlySet<Row>> {
  const words = yield* filtered(rows, ({ start, end }) => !/\d/.test(text.slice(start, end)));
  return new Set(width > 1 && words.length <= WORDS_SHARE_MAX * rows.length ? words : []);
}

/** The last rows, as long as they are short and have one value. */
function footnotesOf({ last }: Table, rows: readonly Row[]): readonly Row[] {
  return rows.slice(rows.findLastIndex(({ columns, values }) => columns > last || values > 1) + 1);
}

/** The rows that begin with the word for a total, unless most rows do. */
function* totalsOf({ text, dialect }: Table, rows: readonly Row[]): Generator<void, ReadonlySet<Row>> {
  const totals = yield* filtered(rows, (row) => {
    const first = row.values > 1 ? firstText(text, row, dialect.separator) : '';
    return first.length <= TOTAL_MAX && TOTAL.test(first);
  });
  return new Set(totals.length * 2 > rows.length ? [] : totals);
}

/** The first cell with a text, without its quotes. */
function firstText(text: string, { start, end, repaired }: Row, separator: number): string {
  if (repaired !== null) return repaired.find((cell) => cell.trim() !== '')?.trim() ?? '';
  for (let from = start; from < end; ) {
    const to = fieldEnd(text, from, separator);
    const cell = text.slice(from, to).replaceAll('"', '').trim();
    if (cell !== '') return cell;
    from = to + 1;
  }
  return '';
}

/** The rows in which lines stand, each with the decision about its line. */
function* rowsAtLines(
  { text, dialect, rows }: Table,
  lines: ReadonlyMap<number, boolean>,
): Generator<void, Map<Row, boolean>> {
  const decided = new Map<Row, boolean>();
  const sorted = [...lines].sort(([left], [right]) => left - right);
  const lineAt = lineCounter(text, dialect.crEnds);
  let next = 0;
  yield* filtered(rows, (row) => {
    if (next === sorted.length) return false;
    const from = lineAt(row.start);
    const to = Math.max(from, lineAt(row.next) - 1);
    for (; (sorted[next]?.[0] ?? Infinity) <= to; next += 1) {
      const [line = 0, isOut = false] = sorted[next] ?? [];
      if (line >= from && decided.get(row) !== true) decided.set(row, isOut);
    }
    return false;
  });
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
