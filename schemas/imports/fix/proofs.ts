import { isText, isValue } from './guess.ts';
import { cellsOf, type Row } from './rows.ts';
import { filtered, mapped } from './slices.ts';

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
const SAMPLE_CELLS = 20_000;
/** The least share of values in a column of values. */
const VALUES_SHARE_MIN = 0.9;
/** Numbers that a sum needs, to be no chance. */
const ADDENDS_MIN = 2;
/** More cells take too long. */
const CELLS_MAX = 500_000;
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
  const records = yield* filtered(doubts.rows, (row) => !others.has(row));
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
  const count = Math.min(SAMPLE_ROWS, Math.ceil(SAMPLE_CELLS / (rows[0]?.columns ?? 1)));
  const cells = rows.slice(0, count).map((row) => cellsOf(text, row, separator));
  return (column) => {
    const own = cells.map((each) => each[column]?.trim() ?? '').filter((cell) => cell !== '');
    return own.length > 1 && own.filter(isValue).length >= VALUES_SHARE_MIN * own.length;
  };
}

/** The rows that repeat a header which has a name above a column of values. */
function repeats(
  { text, separator, header, notes }: Doubts,
  isValued: (column: number) => boolean,
): readonly Row[] {
  if (header === null) return [];
  const line = text.slice(header.start, header.end);
  const found = [...notes].filter((row) => text.slice(row.start, row.end) === line);
  if (found.length === 0) return [];
  const names = cellsOf(text, header, separator).map((name) => name.trim());
  if (!names.some((name, at) => isText(name) && isValued(at))) return [];
  return found;
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
  const all = yield* mapped(totals, (row) => cellsOf(text, row, separator));
  const width = all.reduce((most, { length }) => Math.max(most, length), 0);
  if (width === 0 || width * records.length > CELLS_MAX) return [];
  const cells = yield* mapped(records, (row) => cellsOf(text, row, separator));
  let place = 0;
  const places = totals.map(({ start }) => {
    while ((records[place]?.start ?? start) < start) place += 1;
    return place;
  });
  const proved = new Set<Row>();
  for (let column = 0; column < width; column += 1) {
    for (const decimal of '.,') {
      const wanted = yield* mapped(all, (own) => numberOf(own[column] ?? '', decimal));
      if (!wanted.some(Boolean)) continue;
      const running = yield* runningSums(cells, column, decimal);
      const sound = yield* filtered(totals, (_, at) => isTotal(at, wanted, places, running));
      for (const row of sound) proved.add(row);
    }
  }
  return [...proved];
}

/** By a number of rows, the sum of the first numbers of a column. */
interface Running {
  readonly sum: Float64Array;
  /** The sum without signs. */
  readonly size: Float64Array;
  readonly addends: Float64Array;
  /** The cells that are no numbers. */
  readonly others: Float64Array;
}

function* runningSums(
  rows: readonly (readonly string[])[],
  column: number,
  decimal: string,
): Generator<void, Running> {
  const none = () => new Float64Array(rows.length + 1);
  const running: Running = { sum: none(), size: none(), addends: none(), others: none() };
  const add = (to: Float64Array, at: number, value: number): void => {
    to[at + 1] = (to[at] ?? 0) + value;
  };
  yield* filtered(rows, (cells, at) => {
    const number = numberOf(cells[column] ?? '', decimal);
    const value = number || 0;
    add(running.sum, at, value);
    add(running.size, at, Math.abs(value));
    add(running.addends, at, value === 0 ? 0 : 1);
    add(running.others, at, Number.isNaN(number) ? 1 : 0);
    return false;
  });
  return running;
}

/** True for the sum of all numbers, or of those from the total before or up to the next one. */
function isTotal(
  at: number,
  wanted: readonly number[],
  places: readonly number[],
  running: Running,
): boolean {
  const own = places[at] ?? 0;
  const ranges = [
    [0, running.sum.length - 1],
    [places[at - 1] ?? 0, own],
    [own, places[at + 1] ?? running.sum.length - 1],
  ] as const;
  return ranges.some(([from, to]) => isSum(wanted[at] ?? 0, from, to, running));
}

function isSum(total: number, from: number, to: number, { sum, size, addends, others }: Running): boolean {
  const within = (running: Float64Array): number => (running[to] ?? 0) - (running[from] ?? 0);
  if (!total || within(others) > 0) return false;
  const isClose = Math.abs(within(sum) - total) <= ERROR_MAX * (size[to] ?? 0);
  return isClose && within(addends) >= ADDENDS_MIN;
}

/** The number of a cell, 0 for one without a digit, and NaN for one with letters. */
function numberOf(cell: string, decimal: string): number {
  if (/\p{L}/u.test(cell)) return Number.NaN;
  const digits = cell.replace(/[^\d.,]/g, '');
  const plain = decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  return /^\D*[-−(]|-$/.test(cell) ? -Number(plain) : Number(plain);
}
