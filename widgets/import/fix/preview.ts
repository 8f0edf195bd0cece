import type { Encoding } from './decode.ts';
import { lineCounter, type Row } from './rows.ts';
import { type WritePlan, writtenCells } from './write.ts';

/** One row of a file before and after the changes. */
export interface PreviewLine {
  /** The 1-based line of the file; null for a header that the file does not have. */
  readonly line: number | null;
  /** The row as the service would read it now. */
  readonly before: string;
  /** The cells after the changes; null for a row that is left out, and for one that is shown only for the choice of a header. */
  readonly after: readonly string[] | null;
  /** False for a row that is shown only for the choice of a header. */
  readonly isChecked: boolean;
}

/** Rows below the header. */
const FIRST_ROWS = 4;
/** Rows among which a person finds the header. */
const CHOICE_ROWS = 20;
/** Further rows that a change concerns. */
const CHANGED_ROWS = 4;
const TEXT_MAX = 160;
const CELLS_MAX = 12;
const CELL_MAX = 60;

/** The rows of a file, and those that are written. */
export interface PreviewedRows {
  readonly plan: WritePlan;
  /** Every row of the file, with those that are left out. */
  readonly rows: readonly Row[];
  readonly encoding: Encoding;
  readonly crEnds: boolean;
}

/** The first rows of a file, and the first ones that are changed. */
export function previewOf({ plan, rows, encoding, crEnds }: PreviewedRows): PreviewLine[] {
  const { text, header } = plan;
  const written = new Set(plan.rows);
  const top = header ?? plan.rows[0];
  const headerAt = Math.max(0, top === undefined ? 0 : rows.indexOf(top));
  const checked = headerAt + FIRST_ROWS + (header === null ? 0 : 1);
  const first = rows.slice(0, Math.max(checked, CHOICE_ROWS));
  const changed = rows
    .slice(first.length)
    .filter((row) => row.repaired !== null || !isPlain(plan, row, written));
  const lineAt = lineCounter(text, crEnds);
  const lines = [...first, ...changed.slice(0, CHANGED_ROWS)].map((row, index): PreviewLine => {
    const isChecked = index < checked || index >= first.length || !isPlain(plan, row, written);
    const cells = isChecked ? cellsAfter(plan, row, written) : null;
    return {
      line: lineAt(row.start),
      before: asUtf8(text.slice(row.start, Math.min(row.end, row.start + TEXT_MAX)), encoding),
      after: cells && shortened(cells),
      isChecked,
    };
  });
  if (header !== null || plan.names === null) return lines;
  const made = { line: null, before: '', after: shortened(plan.names), isChecked: true };
  return [...lines.slice(0, headerAt), made, ...lines.slice(headerAt)];
}

/** True if a row is written with as many fields as it has. */
function isPlain({ fills, cuts, width }: WritePlan, row: Row, written: ReadonlySet<Row>): boolean {
  return written.has(row) && !(fills && row.columns < width) && !(cuts === 'empty' && row.columns > width);
}

function cellsAfter(plan: WritePlan, row: Row, written: ReadonlySet<Row>): readonly string[] | null {
  if (row === plan.header) return plan.names ?? writtenCells(plan, row);
  return written.has(row) ? writtenCells(plan, row) : null;
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
