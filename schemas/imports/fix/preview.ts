import type { Encoding } from './decode.ts';
import { LineEnds } from './lines.ts';
import type { Rows } from './row-list.ts';
import type { Row } from './rows.ts';
import { filtered } from './slices.ts';
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
/** Rows at the end, among which totals and notes stand. */
const LAST_ROWS = 3;
/** Further rows that a change concerns. */
const CHANGED_ROWS = 4;
const TEXT_MAX = 160;
const CELLS_MAX = 12;
const CELL_MAX = 60;

export interface PreviewedRows {
  readonly plan: WritePlan;
  /** Every row of the file, with those that are left out. */
  readonly rows: Rows;
  /** The place of the header among them, or of the first row of a table without one. */
  readonly headerAt: number;
  readonly encoding: Encoding;
  /** The text as it is in the file. */
  readonly source: string;
  readonly crEnds: boolean;
}

/** The first rows of a file, the first ones that are changed, and the last ones. */
export function* previewOf({
  plan,
  rows,
  headerAt,
  encoding,
  source,
  crEnds,
}: PreviewedRows): Generator<void, PreviewLine[]> {
  const { text, header } = plan;
  const checked = headerAt + FIRST_ROWS + (header === null ? 0 : 1);
  const first = [...rows.slice(0, Math.max(checked, CHOICE_ROWS))];
  let left = CHANGED_ROWS;
  const changed = yield* filtered(rows.slice(first.length), (row) => {
    const isShown = left > 0 && (row.repaired !== null || !isPlain(plan, row));
    if (isShown) left -= 1;
    return isShown;
  });
  const last = [...rows.slice(Math.max(0, rows.length - LAST_ROWS))];
  // Of a later part of the rows, every row before it is left out.
  const own = plan.rows.slice(0, FIRST_ROWS);
  const few = [...first, ...changed, ...last, ...own];
  const byStart = new Map(few.map((row) => [row.start, row]));
  const shown = [...byStart.values()].sort((left, right) => left.start - right.start);
  const lines: PreviewLine[] = [];
  const ends = new LineEnds(source, crEnds);
  let [start, passed] = [0, 1];
  let index = -1;
  for (const row of shown) {
    index += 1;
    const { line } = row;
    const isLast = row.start >= (last[0]?.start ?? 0);
    const isChecked = index < checked || index >= first.length || isLast || !isPlain(plan, row);
    const cells = isChecked ? cellsAfter(plan, row) : null;
    if (source !== text) start = yield* ends.skip(line - passed, start);
    passed = line;
    yield;
    const before =
      source === text ? text.slice(row.start, row.end).slice(0, TEXT_MAX) : lineText(source, start);
    lines.push({
      line,
      before: asUtf8(before, encoding),
      after: cells && shortened(cells),
      isChecked,
    });
  }
  if (header !== null || plan.names === null) return lines;
  const made = { line: null, before: '', after: shortened(plan.names), isChecked: true };
  return [...lines.slice(0, headerAt), made, ...lines.slice(headerAt)];
}

function lineText(text: string, start: number): string {
  return text.slice(start, start + TEXT_MAX).split(/\r\n|\r|\n/, 1)[0] ?? '';
}

/** True if a row is written, and has as many fields as the table, or is left as it is. */
function isPlain(plan: WritePlan, row: Row): boolean {
  if (!plan.rows.has(row.start)) return false;
  const { fills, cuts, width, last, dropped } = plan;
  // Without some columns, it shows which values a row out of step has.
  const isChanged = dropped.size > 0;
  return row.columns > width
    ? !cuts && !isChanged
    : !(fills && row.columns < width) && !(isChanged && row.columns <= last);
}

function cellsAfter(plan: WritePlan, row: Row): readonly string[] | null {
  if (row.start === plan.header?.start) return plan.names ?? writtenCells(plan, row);
  return plan.rows.has(row.start) ? writtenCells(plan, row) : null;
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
