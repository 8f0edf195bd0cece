import { isText, isValue } from './guess.ts';
import { cellsOf, type Row } from './rows.ts';

/** The rows below a header, and those that may be none of the table. */
export interface Doubts {
  readonly text: string;
  readonly separator: number;
  readonly header: Row | null;
  readonly rows: readonly Row[];
  readonly notes: ReadonlySet<Row>;
  /** The rows that can be totals, in their order. */
  readonly totals: readonly Row[];
  /** The number of values that rows have. */
  readonly usual: number;
}

/** Rows that show the kinds of values of columns. */
const SAMPLE_ROWS = 200;
/** The least share of values in a column of values. */
const VALUES_SHARE_MIN = 0.9;
/** Numbers that a sum needs, to be no chance. */
const ADDENDS_MIN = 2;
/** More cells take too long. */
const CELLS_MAX = 500_000;
/** Rows that are read at once. */
const SLICE_ROWS = 500;
/** The share of a sum that floating point can lose. */
const ERROR_MAX = 1e-10;
/** A sign between words, which the name of a record can lack. */
const BETWEEN_WORDS = /[\s:：*©]/;
const RULER = /^([-_=*])\1\1+$/;

/**
 * Finds the rows that are no records beyond doubt: totals that are the sums of other rows, headers that occur again above columns
 * of values, and lines at the end with words in a column of values or behind a blank line.
 */
export function* provedNotes(doubts: Doubts): Generator<void, ReadonlySet<Row>> {
  const others = new Set([...doubts.notes, ...doubts.totals]);
  const records = doubts.rows.filter((row) => !others.has(row));
  const isValued = valuedIn({ ...doubts, rows: records });
  const totals = yield* sums(doubts, records);
  return new Set([...totals, ...repeats(doubts, isValued), ...endLines(doubts, isValued(0))]);
}

/** Returns a function that is true for a column of which nearly all cells are values. */
export function valuedIn({
  text,
  separator,
  rows,
}: Pick<Doubts, 'text' | 'separator' | 'rows'>): (column: number) => boolean {
  const cells = rows.slice(0, SAMPLE_ROWS).map((row) => cellsOf(text, row, separator));
  return (column) => {
    const own = cells.map((each) => each[column]?.trim() ?? '').filter((cell) => cell !== '');
    return own.length > 1 && own.filter(isValue).length >= VALUES_SHARE_MIN * own.length;
  };
}

/** The rows that repeat a header which has a name above a column of values. */
function repeats(
  { text, separator, header, rows, notes }: Doubts,
  isValued: (column: number) => boolean,
): readonly Row[] {
  if (header === null) return [];
  const names = cellsOf(text, header, separator).map((name) => name.trim());
  if (!names.some((name, at) => isText(name) && isValued(at))) return [];
  const line = text.slice(header.start, header.end);
  return rows.filter((row) => notes.has(row) && text.slice(row.start, row.end) === line);
}

/** The last lines, as long as they have few values and begin with words that no row begins with. */
function endLines(
  { text, separator, rows, notes, totals, usual }: Doubts,
  isValued: boolean,
): readonly Row[] {
  const isOther = (row: Row) => !notes.has(row) || row.values * 2 > usual || totals.includes(row);
  const from = rows.findLastIndex(isOther) + 1;
  const before = rows[from - 1];
  const lines = rows.slice(from);
  const [first] = lines;
  if (first === undefined || before === undefined || usual < ADDENDS_MIN) return [];
  const isApart = first.start > before.next;
  const isAlone = lines.every((row) => row.columns === 1) && usual > ADDENDS_MIN;
  // Without a blank line, the line can be the rest of a text above.
  const end = cellsOf(text, before, separator).at(-1)?.trim() ?? '';
  const isEnded = isApart || first.columns > 1 || end === '' || isValue(end);
  const areWords = lines.every((row) => {
    const cell = cellsOf(text, row, separator)[0]?.trim() ?? '';
    return RULER.test(cell) || (isText(cell) && (row.columns === 1 || BETWEEN_WORDS.test(cell)));
  });
  return (isApart && isAlone) || (isValued && isEnded && areWords) ? lines : [];
}

/** The totals of which a number is the sum of all records, or of those from the total before or up to the next one. */
function* sums(
  { text, separator, totals }: Doubts,
  records: readonly Row[],
): Generator<void, readonly Row[]> {
  const all = totals.map((row) => cellsOf(text, row, separator));
  const width = Math.max(0, ...all.map(({ length }) => length));
  if (width * records.length > CELLS_MAX) return [];
  const cells: (readonly string[])[] = [];
  for (const row of records) {
    if (cells.push(cellsOf(text, row, separator)) % SLICE_ROWS === 0) yield;
  }
  let place = 0;
  const places = totals.map(({ start }) => {
    while ((records[place]?.start ?? start) < start) place += 1;
    return place;
  });
  const proved = new Set<Row>();
  for (let column = 0; column < width; column += 1) {
    for (const decimal of '.,') {
      const wanted = all.map((own) => numberOf(own[column] ?? '', decimal));
      if (!wanted.some(Boolean)) continue;
      const running = yield* runningSums(cells, column, decimal);
      for (const row of totals.filter((_, at) => isTotal(at, wanted, places, running))) proved.add(row);
    }
  }
  return [...proved];
}

/** The sum of the first numbers of a column. */
interface Running {
  readonly sum: number;
  /** The sum without signs. */
  readonly size: number;
  readonly addends: number;
  /** The cells that are no numbers. */
  readonly others: number;
}

function* runningSums(
  rows: readonly (readonly string[])[],
  column: number,
  decimal: string,
): Generator<void, readonly Running[]> {
  let last: Running = { sum: 0, size: 0, addends: 0, others: 0 };
  const running = [last];
  for (const cells of rows) {
    const number = numberOf(cells[column] ?? '', decimal);
    const value = number || 0;
    last = {
      sum: last.sum + value,
      size: last.size + Math.abs(value),
      addends: last.addends + (value === 0 ? 0 : 1),
      others: last.others + (Number.isNaN(number) ? 1 : 0),
    };
    if (running.push(last) % SLICE_ROWS === 0) yield;
  }
  return running;
}

/** True for the sum of all numbers, or of those from the total before or up to the next one. */
function isTotal(
  at: number,
  wanted: readonly number[],
  places: readonly number[],
  running: readonly Running[],
): boolean {
  const own = places[at] ?? 0;
  const ranges = [
    [0, running.length - 1],
    [places[at - 1] ?? 0, own],
    [own, places[at + 1] ?? running.length - 1],
  ] as const;
  return ranges.some(([from, to]) => isSum(wanted[at] ?? 0, running[from], running[to]));
}

function isSum(total: number, from: Running | undefined, to: Running | undefined): boolean {
  if (!total || from === undefined || to === undefined || to.others > from.others) return false;
  const isClose = Math.abs(to.sum - from.sum - total) <= ERROR_MAX * to.size;
  return isClose && to.addends - from.addends >= ADDENDS_MIN;
}

/** The number of a cell, 0 for one without a digit, and NaN for one with letters. */
function numberOf(cell: string, decimal: string): number {
  if (/\p{L}/u.test(cell)) return Number.NaN;
  const digits = cell.replace(/[^\d.,]/g, '');
  const plain = decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  return /^\D*[-−(]|-$/.test(cell) ? -Number(plain) : Number(plain);
}
