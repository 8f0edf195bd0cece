import { restoredCell } from '../../csv/spreadsheet-csv.ts';
import { isRejectedRowsHeader } from '../rejected-rows.ts';
import type { Findings } from './findings.ts';
import { cellsOf, lineOf, type Row } from './rows.ts';
import { filtered } from './slices.ts';

/**
 * Finds the apostrophes in a file of rejected rows that keep a spreadsheet from running a cell. Returns true if the person agrees
 * to take them away.
 */
export function* findApostrophes(
  findings: Findings,
  {
    text,
    separator,
    rows,
  }: { readonly text: string; readonly separator: number; readonly rows: readonly Row[] },
): Generator<void, boolean> {
  const [header] = rows;
  if (header === undefined || !isRejectedRowsHeader(cellsOf(text, header, separator))) return false;
  const examples: string[] = [];
  const [first] = yield* filtered(rows, (row) => {
    const added = cellsOf(text, row, separator).filter((cell) => restoredCell(cell) !== cell);
    examples.push(...added);
    return added.length > 0;
  });
  if (first === undefined) return false;
  return findings.add('apostrophes', examples.length, { examples, line: lineOf(text, first.start) });
}
