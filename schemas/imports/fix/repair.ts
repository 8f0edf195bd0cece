import type { LineEnds } from './lines.ts';
import { type Break, type Dialect, type Row, readRow } from './rows.ts';
import { LINE_CHARACTERS_MAX } from './steps.ts';

/** A text whose rows are read one after the other. */
export interface Lines {
  readonly text: string;
  readonly dialect: Dialect;
  readonly ends: LineEnds;
}

/** The line of a row that breaks a rule. */
interface BrokenLine {
  /** The number of fields that a row has; 0 accepts any. */
  readonly expected: number;
  readonly broke: Break;
}

/**
 * Reads the line at `start`, which breaks a rule, as one row: a quote is text unless it stands at an end of a field, and a
 * CR before the line end belongs to it. Nothing is dropped but spaces outside of quotes.
 *
 * @returns null if there can be other readings, and for a line that is too long
 */
export function repairRow(lines: Lines, start: number, { expected, broke }: BrokenLine): Row | null {
  const { text, dialect, ends } = lines;
  const lineEnd = ends.at(start);
  const split = broke === 'lone_cr' ? splitAtCr(lines, start, lineEnd, expected) : null;
  if (split !== null) return split;
  if (lineEnd - start > LINE_CHARACTERS_MAX) return null;
  const next = ends.behind(lineEnd);
  let end = lineEnd;
  while (end > start && text[end - 1] === '\r') end -= 1;
  const { cells, quoted, open } = splitLine(text.slice(start, end), String.fromCharCode(dialect.separator));
  const row = repairedRow({ start, end, next, broke }, cells);
  if (expected === 0 || (!quoted && !open)) return row;
  if (cells.length !== expected) return null;
  // A quote that the line does not close could begin a field that continues on the next line.
  return open && !isWhole(lines, next, expected) ? null : row;
}

/** The row up to the first CR, if that ends a row: there are as many fields as a row has on both sides. */
function splitAtCr({ text, dialect }: Lines, start: number, lineEnd: number, expected: number): Row | null {
  const cr = text.indexOf('\r', start);
  if (expected < 2 || cr === -1 || cr >= lineEnd) return null;
  const following = text.indexOf('\r', cr + 1);
  const until = following === -1 ? lineEnd : Math.min(following, lineEnd);
  if (until - start > LINE_CHARACTERS_MAX) return null;
  const separator = String.fromCharCode(dialect.separator);
  const own = splitLine(text.slice(start, cr), separator);
  const rest = text.slice(cr + 1, until);
  if (own.open || own.cells.length !== expected || splitLine(rest, separator).cells.length !== expected)
    return null;
  return repairedRow({ start, end: cr, next: cr + 1, broke: 'lone_cr' }, own.cells);
}

function repairedRow(place: Pick<Row, 'start' | 'end' | 'next' | 'broke'>, repaired: readonly string[]): Row {
  const values = repaired.filter((cell) => cell.trim() !== '').length;
  return { ...place, columns: repaired.length, values, repaired };
}

/** True if a row of as many fields begins here, or nothing but the end of the file. */
function isWhole(lines: Lines, start: number, expected: number): boolean {
  const row = readRow(lines.text, start, lines.dialect, new Uint8Array(1));
  if (typeof row === 'string')
    return repairRow(lines, start, { expected: 0, broke: row })?.columns === expected;
  return row !== null && (row.columns === expected || row.end === row.start);
}

/** The cells of a line, and whether fields of it are quoted or begin with a quote that the line does not close. */
function splitLine(line: string, separator: string) {
  const cells: string[] = [];
  const closing = quoteEnds(line, separator);
  let quoted = false;
  let open = false;
  for (let at = 0; ; ) {
    const begin = passSpaces(line, at, separator);
    const isQuote = line.startsWith('"', begin);
    const close = isQuote ? closing(begin) : -1;
    let end: number;
    if (close === -1) {
      open ||= isQuote;
      end = line.indexOf(separator, at);
      if (end === -1) end = line.length;
      cells.push(line.slice(at, end));
    } else {
      quoted = true;
      cells.push(line.slice(begin + 1, close).replaceAll('""', '"'));
      end = passSpaces(line, close + 1, separator);
    }
    if (end >= line.length) return { cells, quoted, open };
    at = end + 1;
  }
}

/**
 * Returns a function that gives the place of the quote that closes a field, or -1, for one field after the other. Only spaces stand
 * between such a quote and the separator or the end.
 */
function quoteEnds(line: string, separator: string): (open: number) => number {
  const isInside = (quote: number): boolean => {
    const after = passSpaces(line, quote + 1, separator);
    return after < line.length && line[after] !== separator;
  };
  let found = 0;
  return (open) => {
    while (found !== -1 && (found <= open || isInside(found)))
      found = line.indexOf('"', Math.max(found, open) + 1);
    return found;
  };
}

function passSpaces(line: string, start: number, separator: string): number {
  let at = start;
  while (line[at] === ' ' || (line[at] === '\t' && separator !== '\t')) at += 1;
  return at;
}
