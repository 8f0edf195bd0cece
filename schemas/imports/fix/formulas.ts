import type { Findings } from './findings.ts';
import { cellsOf, lineOf, type Row } from './rows.ts';
import { filtered } from './slices.ts';

/** A text in the form of a formula, by which exporters keep a spreadsheet from reading it as a number. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** A cell without the signs of a formula around its text. */
export function textOfFormula(cell: string): string {
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}

/** Finds texts in the form of formulas, such as `="00123"`. Returns true if the person agrees to write the text alone. */
export function* findFormulas(
  findings: Findings,
  {
    text,
    separator,
    rows,
  }: { readonly text: string; readonly separator: number; readonly rows: readonly Row[] },
): Generator<void, boolean> {
  if (!text.includes('="')) return false;
  const examples: string[] = [];
  const [first] = yield* filtered(rows, (row) => {
    if (row.repaired === null && !text.slice(row.start, row.end).includes('="')) return false;
    const found = cellsOf(text, row, separator).filter((cell) => TEXT_FORMULA.test(cell));
    examples.push(...found);
    return found.length > 0;
  });
  if (first === undefined) return false;
  return findings.add('formulas', examples.length, { examples, line: lineOf(text, first.start) });
}
