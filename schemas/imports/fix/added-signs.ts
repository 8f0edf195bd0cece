import { restoredCell } from '../../csv/spreadsheet-csv.ts';
import { isRejectedRowsHeader } from '../rejected-rows.ts';
import { EXAMPLES_MAX, type Findings } from './findings.ts';
import { textOfFormula } from './formulas.ts';
import type { ListedRow, Rows } from './row-list.ts';
import { cellsOf } from './rows.ts';
import { each } from './slices.ts';

/** The rows of a file, with its header unless it has none. */
export interface Cells {
  readonly text: string;
  readonly separator: number;
  readonly header: ListedRow | null;
  readonly rows: Rows;
}

/** The signs that are taken away, with which cells were kept from being read as formulas or numbers. */
export interface AddedSigns {
  /** The apostrophes of a file of rejected rows. */
  readonly restores: boolean;
  /** The signs of texts in the form of formulas. */
  readonly unformulas: boolean;
}

/** Finds signs that programs have added to cells. */
export function* findAddedSigns(findings: Findings, cells: Cells): Generator<void, AddedSigns> {
  const { text, separator, header } = cells;
  const isRejected = header !== null && isRejectedRowsHeader(cellsOf(text, header, separator));
  return {
    restores: isRejected && (yield* find(findings, 'apostrophes', cells, restoredCell)),
    unformulas: text.includes('="') && (yield* find(findings, 'formulas', cells, textOfFormula)),
  };
}

/** Finds the cells that a change makes plain. Returns true if the person agrees to it. */
function* find(
  findings: Findings,
  kind: 'apostrophes' | 'formulas',
  { text, separator, header, rows }: Cells,
  plain: (cell: string) => string,
): Generator<void, boolean> {
  const examples: string[] = [];
  let count = 0;
  let line: number | null = null;
  const note = (row: ListedRow): void => {
    for (const cell of cellsOf(text, row, separator)) {
      if (plain(cell) === cell) continue;
      count += 1;
      line ??= row.line;
      if (count <= EXAMPLES_MAX) examples.push(cell);
    }
  };
  if (header !== null) note(header);
  yield* each(rows, note);
  return count > 0 && findings.add(kind, count, { examples, line });
}
