import { STEP_CHARACTERS } from '../fix/steps.ts';

/** The cells of a file in the form that the service takes: UTF-8, commas, and the names of the columns first. */
export interface Table {
  readonly text: string;
  readonly names: readonly string[];
  /** The cells by column, then by row. A row that is too short has empty cells. */
  readonly columns: readonly (readonly string[])[];
  /** The place in the text where each row begins, and where its line end does. The last entry is the end of the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The rows with another number of cells than there are names, by their place, with that number. */
  readonly uneven: ReadonlyMap<number, number>;
}

/** The cells to be written in the place of those of some columns, and the rows to be left out. */
export interface Rewriting {
  /** By the place of the column. */
  readonly columns: ReadonlyMap<number, (row: number) => string>;
  readonly leavesOut: (row: number) => boolean;
}

const QUOTE = '"';
const LINE_END = /[,\r\n"]/g;

/** Reads a file as a table. Returns null for one that the service would refuse as a whole. */
export function* readTable(bytes: Uint8Array): Generator<void, Table | null> {
  const text = new TextDecoder().decode(bytes);
  yield;
  let columns: string[][] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const uneven = new Map<number, number>();
  let names: readonly string[] | null = null;
  let left = STEP_CHARACTERS;
  for (let start = 0; start < text.length; ) {
    const record = recordAt(text, start);
    if (record === null) return null;
    const { cells, end, next } = record;
    // A blank line is no row.
    if (end > start) {
      if (names === null) {
        names = cells;
        columns = cells.map(() => []);
      } else {
        if (cells.length !== names.length) uneven.set(starts.length, cells.length);
        starts.push(start);
        ends.push(end);
        columns.forEach((column, at) => {
          column.push(cells[at] ?? '');
        });
      }
    }
    left -= next - start;
    start = next;
    if (left > 0) continue;
    left = STEP_CHARACTERS;
    yield;
  }
  return names && { text, names, columns, starts: [...starts, text.length], ends, uneven };
}

/** Reads the record that begins at a place, or returns null where quotes or line ends are not in order. */
function recordAt(
  text: string,
  start: number,
): { readonly cells: readonly string[]; readonly end: number; readonly next: number } | null {
  const cells: string[] = [];
  for (let at = start; at <= text.length; at += 1) {
    const end = text[at] === QUOTE ? quotedEnd(text, at) : plainEnd(text, at);
    if (end === null) return null;
    cells.push(
      text[at] === QUOTE ? text.slice(at + 1, end - 1).replaceAll('""', QUOTE) : text.slice(at, end),
    );
    at = end;
    if (text[at] === ',') continue;
    const next = lineEndAt(text, at);
    return next === null ? null : { cells, end: at, next };
  }
  return null;
}

function plainEnd(text: string, start: number): number | null {
  LINE_END.lastIndex = start;
  const end = LINE_END.exec(text)?.index ?? text.length;
  return text[end] === QUOTE ? null : end;
}

/** The place behind the closing quote. */
function quotedEnd(text: string, start: number): number | null {
  let quote = text.indexOf(QUOTE, start + 1);
  while (quote !== -1 && text[quote + 1] === QUOTE) quote = text.indexOf(QUOTE, quote + 2);
  return quote === -1 ? null : quote + 1;
}

/** The place behind the line end at a place, or null if something else is there. */
function lineEndAt(text: string, at: number): number | null {
  if (at === text.length) return at;
  const feed = text[at] === '\r' ? at + 1 : at;
  return text[feed] === '\n' ? feed + 1 : null;
}

/** Writes a table with other cells and fewer rows. A row without another cell keeps every byte. */
export function* writeTable(
  table: Table,
  { columns, leavesOut }: Rewriting,
): Generator<void, Uint8Array<ArrayBuffer>> {
  const { text, starts, ends } = table;
  const pieces: string[] = [text.slice(0, starts[0])];
  let left = STEP_CHARACTERS;
  for (let row = 0; row < ends.length; row += 1) {
    const [start = 0, end = 0, next = 0] = [starts[row], ends[row], starts[row + 1]];
    left -= next - start;
    if (!leavesOut(row)) {
      const changed = [...columns].some(([at, textOf]) => textOf(row) !== table.columns[at]?.[row]);
      pieces.push(changed ? rowOf(table, columns, row) : text.slice(start, end), text.slice(end, next));
    }
    if (left > 0) continue;
    left = STEP_CHARACTERS;
    yield;
  }
  return new TextEncoder().encode(pieces.join(''));
}

function rowOf({ names, columns: cells }: Table, columns: Rewriting['columns'], row: number): string {
  const written = names.map((_, at) => columns.get(at)?.(row) ?? cells[at]?.[row] ?? '');
  // A row of one empty cell would be a blank line.
  if (written.length === 1 && written[0] === '') return '""';
  return written
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll(QUOTE, '""')}"` : cell))
    .join(',');
}
