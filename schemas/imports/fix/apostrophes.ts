import { restoredCell } from '../../csv/spreadsheet-csv.ts';
import { isRejectedRowsHeader } from '../rejected-rows.ts';
import type { Findings } from './findings.ts';
import { cellsOf, lineOf, type Row } from './rows.ts';

/**
 * Finds the apostrophes in a file of rejected rows that keep a spreadsheet from running a cell. Returns true if the person agrees
 * to take them away.
 */
export function findApostrophes(
  findings: Findings,
  {
    text,
    separator,
    rows,
  }: { readonly text: string; readonly separator: number; readonly rows: readonly Row[] },
): boolean {
  const [header] = rows;
  if (header === undefined || !isRejectedRowsHeader(cellsOf(text, header, separator))) return false;
  const added = rows.flatMap((row) =>
    cellsOf(text, row, separator)
      .filter((cell) => restoredCell(cell) !== cell)
      .map((cell) => ({ cell, row })),
  );
  const [first] = added;
  if (first === undefined) return false;
  return findings.add('apostrophes', added.length, {
    examples: added.map(({ cell }) => cell),
    line: lineOf(text, first.row.start),
  });
}
