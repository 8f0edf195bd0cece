import type { ListedRow, Rows } from './row-list.ts';
import { cellsOf } from './rows.ts';
import { each } from './slices.ts';

/** Numbers that a sum needs, so that a row without a word for a total is asked about. */
const ADDENDS_MIN = 4;
/** More cells take too long. */
const CELLS_MAX = 20_000;
/** The share of a sum that floating point can lose. */
const ERROR_MAX = 1e-10;

/** The numbers of a column, as they are read with one decimal sign. */
class Column {
  readonly #at: number;
  readonly #decimal: string;
  #sum = 0;
  #size = 0;
  #addends = 0;

  constructor(at: number, decimal: string) {
    this.#at = at;
    this.#decimal = decimal;
  }

  add(cells: readonly string[]): void {
    const number = this.#numberIn(cells);
    this.#sum += number;
    this.#size += Math.abs(number);
    if (number !== 0) this.#addends += 1;
  }

  /** True if the number of one row is the sum of all others. */
  isSum(cells: readonly string[]): boolean {
    const total = this.#numberIn(cells);
    const others = this.#sum - total;
    return total !== 0 && this.#addends > ADDENDS_MIN && Math.abs(others - total) <= ERROR_MAX * this.#size;
  }

  #numberIn(cells: readonly string[]): number {
    return numberOf(cells[this.#at] ?? '', this.#decimal);
  }
}

/** The starts of the first and the last row if a number of it is the sum of all others. */
export function* sumsAtEdges(text: string, separator: number, rows: Rows): Generator<void, Set<number>> {
  const found = new Set<number>();
  const edges = [rows.at(0), rows.at(rows.length - 1)].filter((row): row is ListedRow => row !== undefined);
  const width = Math.max(0, ...edges.map(({ columns }) => columns));
  if (rows.length <= ADDENDS_MIN || width * rows.length > CELLS_MAX) return found;
  const columns = Array.from({ length: width }, (_, at) =>
    [...'.,'].map((sign) => new Column(at, sign)),
  ).flat();
  yield* each(rows, (row) => {
    const cells = cellsOf(text, row, separator);
    for (const column of columns) column.add(cells);
  });
  for (const row of edges) {
    const cells = cellsOf(text, row, separator);
    if (columns.some((column) => column.isSum(cells))) found.add(row.start);
  }
  return found;
}

/** The number of a cell, 0 for one without a digit, and NaN for one with letters. */
function numberOf(cell: string, decimal: string): number {
  if (/\p{L}/u.test(cell)) return Number.NaN;
  const digits = cell.replace(/[^\d.,]/g, '');
  const plain = decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  return /^\D*[-−(]|-$/.test(cell) ? -Number(plain) : Number(plain);
}
