import type { Findings } from './findings.ts';
import type { Rows } from './row-list.ts';
import { BAR, cellsOf } from './rows.ts';
import { filtered } from './slices.ts';

interface Cells {
  readonly text: string;
  readonly rows: Rows;
  readonly separator: number;
  readonly names: readonly string[];
}

/**
 * Finds spaces around the cells of a table with bars at both ends of each row. Returns true if the person agrees to leave them
 * out.
 */
export function* findPadding(
  findings: Findings,
  { text, rows, separator, names }: Cells,
): Generator<void, boolean> {
  const isFramed = names.length > 2 && names[0]?.trim() === '' && names.at(-1)?.trim() === '';
  if (separator !== BAR || !isFramed) return false;
  const padded = yield* filtered(rows, (row) =>
    cellsOf(text, row, separator).some((cell) => cell.trim() !== cell),
  );
  const first = padded.at(0);
  return first !== undefined && findings.add('padding', padded.length, { line: first.line });
}
