import type { Encoding } from './decode.ts';
import { lineOf, type Row } from './rows.ts';
import { type WritePlan, writtenCells } from './write.ts';

/** One row of a file before and after the changes. */
export interface PreviewLine {
  /** The 1-based line of the file. */
  readonly line: number;
  /** The row as the service would read it now. */
  readonly before: string;
  /** The cells after the changes; null for a row that is left out. */
  readonly after: readonly string[] | null;
}

const FIRST_ROWS = 5;
/** Further rows that a change of quotes concerns. */
const REPAIRED_ROWS = 2;
const TEXT_MAX = 160;
const CELLS_MAX = 12;
const CELL_MAX = 60;

/** The first rows of a file, and the first ones that are repaired. */
export function previewOf(plan: WritePlan, rows: readonly Row[], encoding: Encoding): PreviewLine[] {
  const { text } = plan;
  const [header] = plan.rows;
  const titles = rows.findIndex((row) => row.start === header?.start);
  const first = rows.slice(0, Math.max(0, titles) + FIRST_ROWS);
  const repaired = rows.slice(first.length).filter((row) => row.repaired !== null);
  return [...first, ...repaired.slice(0, REPAIRED_ROWS)].map((row, index) => ({
    line: lineOf(text, row.start),
    before: asUtf8(text.slice(row.start, Math.min(row.end, row.start + TEXT_MAX)), encoding),
    after: index < titles ? null : shortened(cellsAfter(plan, row)),
  }));
}

function cellsAfter(plan: WritePlan, row: Row): readonly string[] {
  return row.start === plan.rows[0]?.start && plan.names !== null ? plan.names : writtenCells(plan, row);
}

function shortened(cells: readonly string[]): string[] {
  return cells.slice(0, CELLS_MAX).map((cell) => cell.slice(0, CELL_MAX));
}

/** The text as it looks if its bytes are taken for UTF-8. */
function asUtf8(text: string, encoding: Encoding): string {
  if (encoding === 'UTF-8') return text;
  const replaced = text.replace(/\P{ASCII}/gu, '\ufffd');
  return encoding === 'UTF-16' ? [...replaced].join('\0') : replaced;
}
