import { isText, isValue } from './guess.ts';
import { type ListedRow, Rows } from './row-list.ts';
import { cellsOf } from './rows.ts';
import { each, filtered, lastIndex, startsOf } from './slices.ts';

/** The rows below a header, and those that may be none of the table. */
export interface Doubts {
  readonly text: string;
  readonly separator: number;
  readonly header: ListedRow | null;
  readonly rows: Rows;
  /** The starts of rows. */
  readonly notes: ReadonlySet<number>;
  /** The rows that can be totals, in their order. */
  readonly totals: Rows;
  /** The number of values that rows have. */
  readonly usual: number;
}

/** Rows that show the kinds of values of columns. */
const SAMPLE_ROWS = 200;
const SAMPLE_CELLS = 20_000;
/** The least share of values in a column of values. */
const VALUES_SHARE_MIN = 0.9;
/** Numbers that a sum needs, to be no chance, and those that it needs in a row that nothing else makes doubtful. */
const ADDENDS_MIN = 2;
const SURE_ADDENDS_MIN = 4;
/** More cells take too long, for such a row all the more. */
const CELLS_MAX = 500_000;
const SURE_CELLS_MAX = 20_000;
/** The share of a sum that floating point can lose. */
const ERROR_MAX = 1e-10;
/** A sign between words, which the name of a record can lack. */
const BETWEEN_WORDS = /[\s:：*©]/;
const RULER = /^([-_=*])\1\1+$/;
/** The line of formats below the names of the U.S. Geological Survey. */
const FORMATS = /^(\d+[sdn](\t|$))+$/;
/** A line of dashes below the names, as wide as the columns. */
const DASHES = /^(?=.*---)-[-+,;|^~\s]*$/;
/** A word for the source of a table. */
const SOURCE = /^(source|quelle|fonte|fuente|bron|źródło|zdroj|kilde|källa|kaynak|источник)\s*:/i;

/**
 * Finds the rows that are no records beyond doubt: totals that are the sums of other rows, headers that occur again above columns
 * of values, and lines at the end with words in a column of values or behind a blank line.
 */
export function* provedNotes(doubts: Doubts): Generator<void, ReadonlySet<number>> {
  const totals = yield* startsOf(doubts.totals);
  const isNote = ({ start }: ListedRow) => doubts.notes.has(start);
  const isDoubt = (row: ListedRow) => isNote(row) || totals.has(row.start);
  const records = yield* filtered(doubts.rows, (row) => !isDoubt(row));
  const isValued = yield* valuedIn({ ...doubts, rows: records });
  const proved = yield* sums(doubts, records);
  const isRepeat = repeatsIn(doubts, isValued);
  const { start = 0, end = 0 } = doubts.rows.at(0) ?? {};
  const first = doubts.text.slice(start, end);
  if (FORMATS.test(first) || DASHES.test(first)) proved.add(start);
  const repeats = yield* filtered(doubts.rows, (row) => isNote(row) && isRepeat(row));
  for (const rows of [repeats, yield* endLines(doubts, totals, isValued(0))])
    yield* each(rows, ({ start }) => proved.add(start));
  return proved;
}

/** Returns a function that is true for a column of which nearly all cells are values. */
export function* valuedIn({
  text,
  separator,
  rows,
}: Pick<Doubts, 'text' | 'separator' | 'rows'>): Generator<void, (column: number) => boolean> {
  const count = Math.min(SAMPLE_ROWS, Math.ceil(SAMPLE_CELLS / (rows.at(0)?.columns ?? 1)));
  const cells: (readonly string[])[] = [];
  yield* each(rows.slice(0, count), (row) => cells.push(cellsOf(text, row, separator)));
  return (column) => {
    const own = cells.map((each) => each[column]?.trim() ?? '').filter((cell) => cell !== '');
    return own.length > 1 && own.filter(isValue).length >= VALUES_SHARE_MIN * own.length;
  };
}

/** Returns a function that is true for a row that repeats a header which has a name above a column of values. */
function repeatsIn(
  { text, separator, header }: Doubts,
  isValued: (column: number) => boolean,
): (row: ListedRow) => boolean {
  const names = header === null ? [] : cellsOf(text, header, separator);
  if (header === null || !names.some((name, at) => isText(name.trim()) && isValued(at))) return () => false;
  const line = text.slice(header.start, header.end);
  return ({ start, end }) => text.slice(start, end) === line;
}

/** The last lines, as long as they have few values and begin with words that no row begins with. */
function* endLines(
  { text, separator, rows, notes, usual }: Doubts,
  totals: ReadonlySet<number>,
  isValued: boolean,
): Generator<void, Rows> {
  const isRow = ({ start, values }: ListedRow) =>
    !notes.has(start) || values * 2 > usual || totals.has(start);
  const from = (yield* lastIndex(rows, isRow)) + 1;
  const before = rows.at(from - 1);
  const lines = rows.slice(from);
  const first = lines.at(0);
  const none = new Rows();
  if (first === undefined || before === undefined || usual < ADDENDS_MIN) return none;
  const isApart = first.start > before.next;
  // Without a blank line, the line can be the rest of a text above.
  const end = cellsOf(text, before, separator).at(-1)?.trim() ?? '';
  const isEnded = isApart || first.columns > 1 || end === '' || isValue(end);
  let [areAlone, areWords, areSources] = [usual > ADDENDS_MIN, true, true];
  yield* each(lines, (row) => {
    const cell = cellsOf(text, row, separator)[0]?.trim() ?? '';
    const isAlone = row.columns === 1;
    areAlone &&= isAlone;
    areWords &&= RULER.test(cell) || (isText(cell) && (isAlone || BETWEEN_WORDS.test(cell)));
    areSources &&= isAlone && SOURCE.test(cell);
  });
  return areSources || (isApart && areAlone) || (isValued && isEnded && areWords) ? lines : none;
}

/** A column of numbers, as they are read with one decimal sign. */
interface Column {
  readonly at: number;
  readonly decimal: string;
  /** The numbers of the totals. */
  readonly wanted: readonly number[];
  /** By a number of records, the sum of their numbers, that without signs, the addends, and the cells that are no numbers. */
  readonly running: Float64Array;
}

/** Figures of {@link Column.running} for each number of records. */
const FIGURES = 4;

/** The starts of the first and the last row if a number of it is the sum of all others. */
export function* sumsAtEdges({
  text,
  separator,
  rows,
}: Pick<Doubts, 'text' | 'separator' | 'rows'>): Generator<void, Set<number>> {
  const found = new Set<number>();
  const { length } = rows;
  if (length <= SURE_ADDENDS_MIN || length * (rows.at(0)?.columns ?? 0) > SURE_CELLS_MAX) return found;
  const [first, last] = [rows.slice(0, 1), rows.slice(length - 1)];
  for (const [totals, records] of [
    [first, rows.slice(1)],
    [last, rows.slice(0, length - 1)],
  ] as const)
    for (const start of yield* sums({ text, separator, totals }, records, SURE_ADDENDS_MIN)) found.add(start);
  return found;
}

/** The starts of the totals of which a number is the sum of all records, or of those from the total before or up to the next one. */
function* sums(
  { text, separator, totals }: Pick<Doubts, 'text' | 'separator' | 'totals'>,
  records: Rows,
  addendsMin = ADDENDS_MIN,
): Generator<void, Set<number>> {
  const proved = new Set<number>();
  const all: (readonly string[])[] = [];
  const places: number[] = [];
  let [width, place] = [0, 0];
  yield* each(totals, (row) => {
    width = Math.max(width, row.columns);
    all.push(cellsOf(text, row, separator));
    while ((records.at(place)?.start ?? row.start) < row.start) place += 1;
    places.push(place);
  });
  const { length } = records;
  if (width * (length + all.length) > CELLS_MAX) return proved;
  const columns: Column[] = [];
  for (let at = 0; at < width; at += 1) {
    for (const decimal of '.,') {
      const wanted = all.map((own) => numberOf(own[at] ?? '', decimal));
      const running = new Float64Array(FIGURES * (length + 1));
      if (wanted.some(Boolean)) columns.push({ at, decimal, wanted, running });
      yield;
    }
  }
  if (columns.length === 0) return proved;
  let end = 0;
  for (const row of records) {
    const cells = cellsOf(text, row, separator);
    end += FIGURES;
    for (const column of columns) addCell(column, end, cells[column.at] ?? '');
    yield;
  }
  for (const column of columns)
    yield* each(totals, ({ start }, at) => {
      if (isTotal(at, places, column, addendsMin)) proved.add(start);
    });
  return proved;
}

/** Writes the figures with one more record. */
function addCell({ decimal, running }: Column, to: number, cell: string): void {
  const number = numberOf(cell, decimal);
  const value = number || 0;
  const added = [value, Math.abs(value), value === 0 ? 0 : 1, Number.isNaN(number) ? 1 : 0];
  for (let at = to; at < to + FIGURES; at += 1)
    running[at] = (running[at - FIGURES] ?? 0) + (added[at - to] ?? 0);
}

/** True for the sum of all numbers, or of those from the total before or up to the next one. */
function isTotal(
  at: number,
  places: readonly number[],
  { wanted, running }: Column,
  addendsMin: number,
): boolean {
  const own = places[at] ?? 0;
  const end = running.length / FIGURES - 1;
  const ranges = [
    [0, end],
    [places[at - 1] ?? 0, own],
    [own, places[at + 1] ?? end],
  ] as const;
  return ranges.some(([from, to]) => addendsIn(wanted[at] ?? 0, from, to, running) >= addendsMin);
}

/** The number of addends of a sum; 0 if it is none. */
function addendsIn(total: number, from: number, to: number, running: Float64Array): number {
  const of = (records: number, figure: number): number => running[FIGURES * records + figure] ?? 0;
  const within = (figure: number): number => of(to, figure) - of(from, figure);
  const isSum = total && within(3) === 0 && Math.abs(within(0) - total) <= ERROR_MAX * of(to, 1);
  return isSum ? within(2) : 0;
}

/** The number of a cell, 0 for one without a digit, and NaN for one with letters. */
function numberOf(cell: string, decimal: string): number {
  if (/\p{L}/u.test(cell)) return Number.NaN;
  const digits = cell.replace(/[^\d.,]/g, '');
  const plain = decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  return /^\D*[-−(]|-$/.test(cell) ? -Number(plain) : Number(plain);
}
