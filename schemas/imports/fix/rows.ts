/** The rules by which the rows of a text are written. */
export interface Dialect {
  /** The character code of the separator. */
  readonly separator: number;
  /** True if a lone CR ends a line. */
  readonly crEnds: boolean;
}

/** The position of one row in a text. */
export interface Row {
  readonly start: number;
  /** The end without the line end. */
  readonly end: number;
  /** The start of the following line. */
  readonly next: number;
  readonly columns: number;
  /** The number of fields that have more than spaces. */
  readonly values: number;
  /** The cells of a row that breaks the rules, by its only possible reading; null for every other row. */
  readonly repaired: readonly string[] | null;
  /** The first rule that the row breaks. */
  readonly broke: Break | null;
}

/** The rule that a row breaks. */
export type Break = 'stray_quote' | 'unclosed_quote' | 'lone_cr';

/** A sign that can stand between fields. */
const SEPARATOR = /^[^\p{L}\p{N}"\r\n]$/u;

export const COMMA = 0x2c;
export const BAR = 0x7c;
/** A line between the rows of a table in which bars stand between fields. */
const RULER = /[-+|:= \t]+(?:\r\n|\r|\n|$)/y;
/** Such a line without bars at its ends, which is no row of signs for missing values. */
const OPEN_RULER = /^[:= \t]*-{3}[-+:= \t]*(?:\|[:= \t]*-{3}[-+:= \t]*)*$/;
const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;

/**
 * Reads the row that begins at `start` by the rules of the service, but for the separator and for CR as a line end.
 *
 * @param filled gets 1 for each column that has a value here
 */
export function readRow(text: string, start: number, dialect: Dialect, filled: Uint8Array): Row | Break {
  const { separator, crEnds } = dialect;
  let at = start;
  let values = 0;
  for (let columns = 1; ; columns += 1) {
    const from = at;
    const isQuoted = text.charCodeAt(at) === QUOTE;
    if (isQuoted) {
      at = closingQuote(text, at) + 1;
      if (at === 0) return 'unclosed_quote';
    } else at = passPlain(text, at, separator);
    if (at - from > (isQuoted ? 2 : 0)) {
      filled[columns - 1] = 1;
      if (isFilled(text, from, at)) values += 1;
    }
    if (text.charCodeAt(at) === separator) {
      at += 1;
      continue;
    }
    const length = lineEndAt(text, at, crEnds);
    if (typeof length === 'string') return length;
    const broke = length > 2 ? 'lone_cr' : null;
    return { start, end: at, next: at + length, columns, values, repaired: null, broke };
  }
}

/** True for more than spaces. */
function isFilled(text: string, from: number, to: number): boolean {
  return text.charCodeAt(from) > SPACE || text.slice(from, to).trim() !== '';
}

/** Reads a line between the rows of a table with bars, as a row without a value; null for any other line. */
export function rulerAt(text: string, start: number, { separator }: Dialect): Row | null {
  if (separator !== BAR) return null;
  RULER.lastIndex = start;
  const line = RULER.exec(text)?.[0];
  if (line === undefined || !/--|==/.test(line)) return null;
  const ruler = line.trimEnd();
  if (!/^\s*[|+]/.test(ruler) && !OPEN_RULER.test(ruler)) return null;
  const end = start + ruler.length;
  return { start, end, next: start + line.length, columns: 1, values: 0, repaired: null, broke: null };
}

/** True for a sign that can stand between fields: one of 16 bits, but no letter, digit, quote or line end. */
export function canSeparate(sign: string): boolean {
  return sign.length === 1 && SEPARATOR.test(sign);
}

/** The length of the line end behind a field, with every CR before its LF, or the rule that the character there breaks. */
function lineEndAt(text: string, at: number, crEnds: boolean): number | Break {
  if (at === text.length) return 0;
  let returns = 0;
  while (text.charCodeAt(at + returns) === CR) returns += 1;
  if (text.charCodeAt(at + returns) === LF) return returns + 1;
  if (returns === 0) return 'stray_quote';
  return crEnds ? 1 : 'lone_cr';
}

/** The place of the quote that closes a field, or -1. A doubled quote closes nothing. */
function closingQuote(text: string, open: number): number {
  let quote = text.indexOf('"', open + 1);
  while (quote !== -1 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote;
}

/** The end of the field that begins at `start`, in a row that breaks no rule. */
export function fieldEnd(text: string, start: number, separator: number): number {
  return text.charCodeAt(start) === QUOTE ? closingQuote(text, start) + 1 : passPlain(text, start, separator);
}

function passPlain(text: string, start: number, separator: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === QUOTE || code === CR || code === LF) break;
  }
  return at;
}

/**
 * Reads the line at `start`, which breaks a rule, as one row: a quote is text unless it stands at an end of a field, and a
 * CR before the line end belongs to it. Nothing is dropped but spaces outside of quotes.
 *
 * @param expected the number of fields that a row has; 0 accepts any
 * @returns null if there can be other readings
 */
export function repairRow(
  text: string,
  start: number,
  dialect: Dialect,
  { expected, broke }: { readonly expected: number; readonly broke: Break },
): Row | null {
  const lineEnd = endOfLine(text, start, dialect.crEnds);
  const split = broke === 'lone_cr' ? splitAtCr(text, start, lineEnd, { dialect, expected }) : null;
  if (split !== null) return split;
  let next = Math.min(text.length, lineEnd + 1);
  if (text.charCodeAt(lineEnd) === CR && text.charCodeAt(next) === LF) next += 1;
  let end = lineEnd;
  while (end > start && text.charCodeAt(end - 1) === CR) end -= 1;
  const { cells, quoted, open } = splitLine(text.slice(start, end), String.fromCharCode(dialect.separator));
  const row = repairedRow({ start, end, next, broke }, cells);
  if (expected === 0 || (!quoted && !open)) return row;
  if (cells.length !== expected) return null;
  // A quote that the line does not close could begin a field that continues on the next line.
  return open && !isWhole(text, next, dialect, expected) ? null : row;
}

function endOfLine(text: string, start: number, crEnds: boolean): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && crEnds)) break;
  }
  return at;
}

/** The row up to the first CR, if that ends a row: there are as many fields as a row has on both sides. */
function splitAtCr(
  text: string,
  start: number,
  lineEnd: number,
  { dialect, expected }: { readonly dialect: Dialect; readonly expected: number },
): Row | null {
  const cr = text.indexOf('\r', start);
  if (expected < 2 || cr === -1 || cr >= lineEnd) return null;
  const separator = String.fromCharCode(dialect.separator);
  const own = splitLine(text.slice(start, cr), separator);
  const [rest = ''] = text.slice(cr + 1, lineEnd).split('\r', 1);
  if (own.open || own.cells.length !== expected || splitLine(rest, separator).cells.length !== expected)
    return null;
  return repairedRow({ start, end: cr, next: cr + 1, broke: 'lone_cr' }, own.cells);
}

function repairedRow(place: Pick<Row, 'start' | 'end' | 'next' | 'broke'>, repaired: readonly string[]): Row {
  const values = repaired.filter((cell) => cell.trim() !== '').length;
  return { ...place, columns: repaired.length, values, repaired };
}

/** True if a row of as many fields begins here, or nothing but the end of the file. */
function isWhole(text: string, start: number, dialect: Dialect, expected: number): boolean {
  const row = readRow(text, start, dialect, new Uint8Array(1));
  if (typeof row !== 'string') return row.columns === expected || row.end === row.start;
  return repairRow(text, start, dialect, { expected: 0, broke: row })?.columns === expected;
}

/** The cells of a line, and whether fields of it are quoted or begin with a quote that the line does not close. */
function splitLine(line: string, separator: string) {
  const cells: string[] = [];
  let quoted = false;
  let open = false;
  for (let at = 0; ; ) {
    const begin = passSpaces(line, at, separator);
    const close = line[begin] === '"' ? lineQuoteEnd(line, begin, separator) : -1;
    let end: number;
    if (close === -1) {
      open ||= line[begin] === '"';
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

/** The place of the quote that closes a field: only spaces stand between it and the separator or the end. */
function lineQuoteEnd(line: string, open: number, separator: string): number {
  const ends = (at: number): boolean => {
    const after = passSpaces(line, at, separator);
    return after === line.length || line[after] === separator;
  };
  for (let at = line.indexOf('"', open + 1); at !== -1; at = line.indexOf('"', at + 1)) {
    if (line[at + 1] === '"' && !ends(at + 2)) at += 1;
    else if (ends(at + 1)) return at;
  }
  return -1;
}

function passSpaces(line: string, start: number, separator: string): number {
  let at = start;
  while (line[at] === ' ' || (line[at] === '\t' && separator !== '\t')) at += 1;
  return at;
}

export function cellsOf(text: string, { start, end, repaired }: Row, separator: number): readonly string[] {
  if (repaired !== null) return repaired;
  const cells: string[] = [];
  for (let from = start; ; ) {
    const at = fieldEnd(text, from, separator);
    const isQuoted = text.charCodeAt(from) === QUOTE;
    cells.push(isQuoted ? text.slice(from + 1, at - 1).replaceAll('""', '"') : text.slice(from, at));
    if (at >= end) return cells;
    from = at + 1;
  }
}

/** True if a cell begins or ends between two places: the number of quotes there is odd. */
export function isOpened(text: string, from: number, to: number): boolean {
  const part = text.slice(from, to);
  let isOdd = false;
  for (let at = part.indexOf('"'); at !== -1; at = part.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

/** The place where a line begins, from 1, or the end of the text. The first line begins at `from`. */
export function startOfLine(text: string, line: number, crEnds: boolean, from = 0): number {
  let at = from;
  for (let passed = 1; passed < line && at < text.length; passed += 1) {
    const end = text.indexOf(crEnds ? '\r' : '\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}

/** Returns a function that gives the lines of places, each behind the one before. */
export function lineCounter(text: string, crEnds: boolean): (at: number) => number {
  const lineEnd = crEnds ? '\r' : '\n';
  let line = 1;
  let end = text.indexOf(lineEnd);
  return (at) => {
    for (; end !== -1 && end < at; end = text.indexOf(lineEnd, end + 1)) line += 1;
    return line;
  };
}

/** The 1-based line of a place. Every LF ends a line, as the service counts them; in a text without LF, every CR. */
export function lineOf(text: string, at: number): number {
  const first = text.indexOf('\n');
  return lineCounter(text, first === -1 || first >= at)(at);
}
