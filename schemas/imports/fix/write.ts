import { restoredCell } from '../../csv/spreadsheet-csv.ts';
import type { AddedSigns } from './added-signs.ts';
import { textOfFormula } from './formulas.ts';
import type { ListedRow, Rows } from './row-list.ts';
import { COMMA, cellsOf, fieldEnd, type Row } from './rows.ts';
import { STEP_CHARACTERS } from './steps.ts';

/** A file to be written: rows of a text, with other names or fewer columns. */
export interface WritePlan extends AddedSigns {
  readonly text: string;
  readonly separator: number;
  /** The row of the header; null if the names are not in the file, or in several rows of it. */
  readonly header: ListedRow | null;
  /** The rows below the header, without blank lines. */
  readonly rows: Rows;
  /** The names of the columns that stay, or null if the header stays as it is. */
  readonly names: readonly string[] | null;
  readonly dropped: ReadonlySet<number>;
  /** The number of columns, with those that are left out. */
  readonly width: number;
  /** Rows with too few fields get empty ones. */
  readonly fills: boolean;
  /** The last column that a row has to reach: those behind it have neither a name nor a value. */
  readonly last: number;
  /** Empty fields behind the last column are left out. */
  readonly cuts: boolean;
  /** Spaces around cells are left out. */
  readonly trims: boolean;
}

const BOM = '\ufeff';

/** Writes a file as UTF-8 with commas. Rows that need no change keep every byte. */
export function* write(plan: WritePlan): Generator<void, Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const put = (piece: string): void => {
    const bytes = encoder.encode(piece);
    pieces.push(bytes);
    size += bytes.length;
  };
  // The service drops a mark at the start, which is here a part of a name.
  let piece = headerText(plan).replace(/^(?=\ufeff)/, BOM);
  for (const row of plan.rows) {
    piece += rowText(plan, row) + lineEndOf(plan.text, row);
    if (piece.length < STEP_CHARACTERS) continue;
    put(piece);
    piece = '';
    yield;
  }
  put(piece);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const bytes of pieces) {
    whole.set(bytes, at);
    at += bytes.length;
    yield;
  }
  return whole;
}

function headerText(plan: WritePlan): string {
  const { text, names, header, rows } = plan;
  if (names === null) return header === null ? '' : rowText(plan, header) + lineEndOf(text, header);
  const first = rows.at(0);
  if (header !== null) return lineOf(names.map((name) => plainCell(plan, name))) + lineEndOf(text, header);
  return `${lineOf(names)}${first === undefined ? '' : lineEndOf(text, first) || '\n'}`;
}

/** The text of a row as it is written. Cells keep their quotes, and get them if they have a comma. */
function rowText(plan: WritePlan, row: Row): string {
  const { text, separator, dropped, width, cuts, restores, unformulas, trims } = plan;
  if (restores || unformulas || trims || row.repaired !== null || (cuts && row.columns > width))
    return lineOf(writtenCells(plan, row));
  const added = ','.repeat(addedFields(plan, row));
  if (separator === COMMA && dropped.size === 0) return text.slice(row.start, row.end) + added;
  const fields: string[] = [];
  for (let at = row.start, column = 0; at <= row.end; column += 1) {
    const end = fieldEnd(text, at, separator);
    if (!dropped.has(column)) fields.push(withComma(text.slice(at, end)));
    at = end + 1;
  }
  return fields.join(',') + added || '""';
}

/** The number of empty fields that a row gets. */
function addedFields({ header, fills, dropped, width, last }: WritePlan, row: Row): number {
  if (row.start === header?.start) return 0;
  let missing = 0;
  for (let at = row.columns; at < width; at += 1) if (!dropped.has(at)) missing += 1;
  if (fills) return missing;
  // Its values may be out of place. Without the columns that are left out, it would have the right number of fields.
  return missing === 0 && row.columns <= last ? 1 : 0;
}

/** A field of a row with commas. */
function withComma(field: string): string {
  return field.includes(',') && !field.startsWith('"') ? `"${field}"` : field;
}

/** The cells of a row that stay, and those that it gets. */
export function writtenCells(plan: WritePlan, row: Row): readonly string[] {
  const { text, separator, dropped, width, cuts } = plan;
  const cells = cellsOf(text, row, separator);
  const kept = cells
    .filter((cell, at) => (at < width ? !dropped.has(at) : !cuts || cell.trim() !== ''))
    .map((cell) => plainCell(plan, cell));
  return [...kept, ...Array<string>(addedFields(plan, row)).fill('')];
}

function plainCell({ restores, unformulas, trims }: WritePlan, cell: string): string {
  if (restores) return restoredCell(cell);
  const own = trims ? cell.trim() : cell;
  return unformulas ? textOfFormula(own) : own;
}

function lineOf(cells: readonly string[]): string {
  // A row of one empty cell would be a blank line.
  if (cells.length === 1 && cells[0] === '') return '""';
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}

function lineEndOf(text: string, { end, next }: Row): string {
  if (next === end) return '';
  return next - end >= 2 && text[next - 1] === '\n' ? '\r\n' : '\n';
}
