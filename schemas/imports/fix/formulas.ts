import type { Findings } from './findings.ts';
import { cellsOf, lineOf, type Row } from './rows.ts';

/** A text in the form of a formula, by which exporters keep a spreadsheet from reading it as a number. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** A cell without the signs of a formula around its text. */
export function textOfFormula(cell: string): string {
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

/** Finds texts in the form of formulas, such as `="00123"`. Returns true if the person agrees to write the text alone. */
export function findFormulas(
  findings: Findings,
  {
    text,
    separator,
    rows,
  }: { readonly text: string; readonly separator: number; readonly rows: readonly Row[] },
): boolean {
  if (!text.includes('="')) return false;
  const found = rows.flatMap((row) =>
    cellsOf(text, row, separator)
      .filter((cell) => TEXT_FORMULA.test(cell))
      .map((cell) => ({ cell, row })),
  );
  const [first] = found;
  if (first === undefined) return false;
  return findings.add('formulas', found.length, {
    examples: found.map(({ cell }) => cell),
    line: lineOf(text, first.row.start),
  });
}
