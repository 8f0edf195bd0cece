import type { ListedRow, Rows } from './row-list.ts';
import { cellsOf } from './rows.ts';
import { each } from './slices.ts';

/** The first and the last rows, at most, which can be balances, sums or largest values without a word that says so. */
const EDGE_ROWS_MAX = 3;
/** Rows between them that show what a record has. */
const RECORDS_MIN = 4;
/** Values that a row lacks if it is hardly a record. One is enough if it tells the records apart. */
const LACKING_MIN = 2;
/** Records that are looked at for that. */
const SAMPLE_ROWS = 200;

/** Finds the first and the last rows that lack values which every row between them has. */
export function* lackingRows(text: string, separator: number, rows: Rows): Generator<void, Set<number>> {
  const found = new Set<number>();
  const count = Math.min(EDGE_ROWS_MAX, (rows.length - RECORDS_MIN) >> 1);
  if (count < 1) return found;
  const valuesOf = (row: ListedRow) => cellsOf(text, row, separator).map((cell) => cell.trim());
  const edgeOf = (edge: Rows) => [...edge].map((row) => ({ start: row.start, values: valuesOf(row) }));
  const first = edgeOf(rows.slice(0, count));
  const last = edgeOf(rows.slice(rows.length - count)).reverse();
  const records = rows.slice(count, rows.length - count);
  // The values of columns that a row at an edge lacks and that each record has.
  const columns = new Map<number, Set<string>>();
  for (const { values } of [...first, ...last])
    values.forEach((value, at) => {
      if (value === '') columns.set(at, new Set());
    });
  yield* each(records, (row, place) => {
    if (columns.size === 0) return;
    const values = valuesOf(row);
    for (const [at, all] of columns) {
      const value = values[at] ?? '';
      if (value === '') columns.delete(at);
      else if (place < SAMPLE_ROWS && /\p{Nd}/u.test(value)) all.add(value);
    }
  });
  const sample = Math.min(records.length, SAMPLE_ROWS);
  const lacks = ({ values }: (typeof first)[number]) => {
    const lacking = [...columns].filter(([at]) => values[at] === '');
    return lacking.length >= LACKING_MIN || lacking.some(([, all]) => all.size === sample);
  };
  for (const edge of [first, last]) {
    const end = edge.findIndex((row) => !lacks(row));
    for (const { start } of edge.slice(0, end === -1 ? count : end)) found.add(start);
  }
  return found;
}
