import { COMMA, cellsOf, fieldEnd, type Row } from './rows.ts';

/** A file to be written: rows of a text, with other names or fewer columns. */
export interface WritePlan {
  readonly text: string;
  readonly separator: number;
  /** The header and every row below it, without blank lines. */
  readonly rows: readonly Row[];
  /** The names of the columns that stay, or null if the header stays as it is. */
  readonly names: readonly string[] | null;
  readonly dropped: readonly number[];
}

/** Characters that are written at once. */
const PIECE_CHARACTERS = 32 * 1_024;
const BOM = '\ufeff';

/** Writes a file as UTF-8 with commas. Rows that need no change keep every byte. */
export function* write(plan: WritePlan): Generator<void, Uint8Array<ArrayBuffer>> {
  const { text, rows } = plan;
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const put = (piece: string): void => {
    const bytes = encoder.encode(piece);
    pieces.push(bytes);
    size += bytes.length;
  };
  let piece = '';
  for (const [index, row] of rows.entries()) {
    piece += index === 0 && plan.names !== null ? lineOf(plan.names) : rowText(plan, row);
    piece += lineEndOf(text, row);
    // The service drops a mark at the start, which is here a part of a name.
    if (index === 0 && piece.startsWith(BOM)) piece = BOM + piece;
    if (piece.length < PIECE_CHARACTERS) continue;
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
  }
  return whole;
}

/** The text of a row as it is written. Cells keep their quotes, and get them if they have a comma. */
function rowText(plan: WritePlan, row: Row): string {
  const { text, separator, dropped } = plan;
  if (row.repaired !== null) return lineOf(writtenCells(plan, row));
  if (separator === COMMA && dropped.length === 0) return text.slice(row.start, row.end);
  const fields: string[] = [];
  for (let at = row.start, column = 0; at <= row.end; column += 1) {
    const end = fieldEnd(text, at, separator);
    if (!dropped.includes(column)) fields.push(withComma(text.slice(at, end)));
    at = end + 1;
  }
  return fields.join(',') || '""';
}

/** A field of a row with commas. */
function withComma(field: string): string {
  return field.includes(',') && !field.startsWith('"') ? `"${field}"` : field;
}

/** The cells of a row that stay. */
export function writtenCells({ text, separator, dropped }: WritePlan, row: Row): readonly string[] {
  const cells = cellsOf(text, row, separator);
  return dropped.length === 0 ? cells : cells.filter((_, at) => !dropped.includes(at));
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
